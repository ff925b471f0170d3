import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AuditService } from '@pto/proto/operators/v1/operators';
import { OrderCommandService } from '@pto/proto/orders/v1/commands';
import { type Handlers, implement } from '@pto/rpc';
import { type FakeGateway, runCommand, startGateway } from './operator-command.ts';

const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const seen: Record<string, unknown>[] = [];
let gateway: FakeGateway;
beforeAll(async () => {
  const see = (answer: object) => async (request: unknown) => {
    seen.push(request as Record<string, unknown>);
    return answer;
  };
  const audit = { listActions: see({ actions: [], nextId: '' }) };
  const orders = { acceptOrder: see({ order: { id: 'x', status: 'ACCEPTED' } }) };
  gateway = await startGateway({
    operators: [implement(AuditService, audit as unknown as Handlers<typeof AuditService>)],
    orders: [
      implement(OrderCommandService, orders as unknown as Handlers<typeof OrderCommandService>),
    ],
  });
});
afterAll(() => gateway.stop());

const inBerlin = (...words: string[]) => runCommand(gateway, words, { TZ: 'Europe/Berlin' });

describe('in Berlin', () => {
  test('a time without an offset is UTC', async () => {
    const until = ['--until', '2026-11-26T00:30:00', '--since', '2026-11-25T23:30:00+01:00'];
    expect(await inBerlin('audit', 'list', ...until)).toMatchObject({ code: 0 });
    expect(seen.at(-1)).toMatchObject({
      until: '2026-11-26T00:30:00.000Z',
      since: '2026-11-25T22:30:00.000Z',
    });
    expect(await inBerlin('order', 'accept', orderId, '--at', '2026-11-26T00:30:00')).toMatchObject(
      {
        code: 0,
      },
    );
    expect(seen.at(-1)).toMatchObject({ circumstances: { at: '2026-11-26T00:30:00.000Z' } });
  });

  test('a duration is before now', async () => {
    const begun = Date.now();
    expect(await inBerlin('audit', 'list', '--since', '24h')).toMatchObject({ code: 0 });
    const since = Date.parse(seen.at(-1)?.since as string);
    expect(since).toBeGreaterThanOrEqual(begun - 86_400_000);
    expect(since).toBeLessThanOrEqual(Date.now() - 86_400_000);
  });
});

describe.each([
  ['audit', 'list', '--since', '2026-11-31T00:00:00Z'],
  ['audit', 'list', '--until', '2026-01-15T24:61:00'],
  ['audit', 'list', '--until', '0000-01-01T00:00:00Z'],
  ['audit', 'list', '--until', 'tomorrow'],
  ['audit', 'list', '--since', '999999999d'],
  ['order', 'accept', 'x', '--at', '2026-11-31T00:00:00Z'],
  ['order', 'accept', 'x', '--at', '0000-01-01T00:00:00Z'],
  ['order', 'walk', 'x', '--pause', '25h'],
  ['key', 'rotate', 'x', '--overlap', '999999999d'],
  ['key', 'issue', '--org', 'x', '--scopes', 'a', '--expires-in', '999999999d'],
  ['token', 'issue', '--name', 'x', '--role', 'admin', '--expires-in', '999999999d'],
])('%s %s %s %s %s', (...words) => {
  test('is wrong usage and is not sent', async () => {
    const before = gateway.calls.length;
    const { code, stderr } = await inBerlin(...words.filter((word) => word !== undefined));
    expect([code, stderr]).toEqual([2, expect.stringMatching(/does not exist|expected|1 to 9999/)]);
    expect(gateway.calls).toHaveLength(before);
  });
});
