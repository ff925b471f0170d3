import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { StatusService } from '@pto/proto/operators/v1/status';
import { implement } from '@pto/rpc';
import { type FakeGateway, runCommand, startGateway } from './operator-command.ts';

let gateway: FakeGateway;
let measured: Record<string, number>;
beforeEach(async () => {
  const measurements = async () => ({
    measurements: Object.entries(measured).map(([name, value]) => ({ name, labels: [], value })),
  });
  const nothing = implement(StatusService, { getMeasurements: async () => ({}) });
  gateway = await startGateway({
    orders: [implement(StatusService, { getMeasurements: measurements })],
    custody: [nothing],
    webhooks: [nothing],
  });
});
afterEach(() => gateway.stop());

const audits = {
  custody_last_audit_seconds: 8,
  custody_last_audit_violations: 0,
  custody_last_full_audit_seconds: 1_000_000,
  custody_last_full_audit_violations: 0,
};

test('the last audits are shown with their results, although these are 0', async () => {
  measured = { ...audits, outbox_unsent: 0 };
  const { code, stdout } = await runCommand(gateway, ['status']);
  expect(code).toBe(0);
  for (const [name, value] of Object.entries(audits))
    expect(stdout).toMatch(new RegExp(`${name} .* ${value} .*false`));
  expect(stdout).not.toContain('outbox_unsent');
});

test.each([
  ['custody_last_audit_seconds', 900, 'AuditLate'],
  ['custody_last_full_audit_seconds', 14 * 86_400, 'FullAuditLate'],
  ['bus_rejected_messages', 0, 'MessagesRejected'],
])('%s above %d needs attention, by the runbook %s', async (name, limit, runbook) => {
  const attention = async (value: number) => {
    measured = { ...audits, [name]: value };
    const { code, stdout } = await runCommand(gateway, ['--json', 'status']);
    const rows: { measurement: string; attention: boolean; runbook: string }[] = JSON.parse(stdout);
    const attended = rows.filter((row) => row.attention);
    return [code, attended.map((row) => [row.measurement, row.runbook])];
  };
  expect(await attention(limit)).toEqual([0, []]);
  expect(await attention(limit + 1)).toEqual([1, [[name, runbook]]]);
});
