import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessService } from '@pto/proto/access/v1/access';
import { implement, startConnectServer } from '@pto/rpc';
import { createTelemetry, type Telemetry } from '@pto/telemetry';
import { freePort, tlsOf, until } from '@pto/testing';
import { breaksAt, failureRatio, warningLevel } from '../../src/health/health.ts';
import { deliveriesOf, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'warnings-'));
const port = await freePort();
const admins = ['ward@clinic.example', 'it@clinic.example'];
let away = 0;
let access: Awaited<ReturnType<typeof startConnectServer>>;

beforeAll(async () => {
  const telemetry: Telemetry = createTelemetry({ service: 'access', write: () => {} });
  access = await startConnectServer({
    host: '127.0.0.1',
    port,
    tls: tlsOf('operators'),
    telemetry,
    implementations: [
      implement(AccessService, {
        getOrganization: async ({ id }: { id: string }) => {
          if (away-- > 0) throw new Error('away');
          return { organization: { id, name: 'Clinic', enabled: true, admins } };
        },
      } as never),
    ],
  });
});
afterAll(async () => {
  await access.stop();
  rmSync(folder, { recursive: true });
});

const under = underTest({
  ACCESS_URL: `https://127.0.0.1:${port}`,
  MAIL_DIR: folder,
  MAIL_FROM: 'partner-api@operator.example',
  WEBHOOKS_BROKEN_FAILURES: '20',
  WEBHOOKS_BROKEN_MIN_AGE: '1ms',
  WEBHOOKS_RETRY_WAITS: '10m,10m,10m,10m,10m',
});

/** Mails in which the endpoint is named, in the order of their sending. */
const mailsAbout = (id: string): string[] =>
  readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8').replace(/=\r?\n/g, ''))
    .filter((mail) => mail.includes(id));

const fails = async (organizationId: string, id: string, count: number): Promise<void> => {
  const { webhooks } = under.replica;
  const failures = async () =>
    (await webhooks.getEndpoint({ id, organizationId })).endpoint!.consecutiveFailures;
  const wanted = (await failures()) + count;
  await under.stores.publish(
    Array.from({ length: count }, () => eventsOf(organizationId, 1)).flat(),
  );
  await until(async () => (await failures()) >= wanted, { what: `${wanted} failures` });
};

test('one mail each at 50, 70 and 90 percent and at BROKEN, and none for the failures between', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 503 });
  for (const [failures, mails] of [
    [9, 0],
    [1, 1], // 10 of 20
    [3, 1],
    [1, 2], // 14
    [4, 3], // 18
    [1, 3],
    [1, 4], // BROKEN
  ] as const) {
    await fails(organizationId, id, failures);
    await until(() => mailsAbout(id).length >= mails, { what: `${mails} mails` });
    expect(mailsAbout(id)).toHaveLength(mails);
  }
  const all = mailsAbout(id);
  expect(all.map((mail) => /\((\d+) %/.exec(mail)?.[1] ?? 'BROKEN')).toEqual([
    '50',
    '70',
    '90',
    'BROKEN',
  ]);
  for (const mail of all) {
    expect(mail).toContain('To: ward@clinic.example, it@clinic.example');
    expect(mail).toContain('HTTP 503');
    expect(mail).toContain(`/webhooks/${id}/verify`);
    expect(mail).toContain(`/webhooks/${id}/recover`);
  }
  receiver.answer = 204;
});

test('health says how close it is, and a success takes all of it back', async () => {
  const { id, organizationId, receiver } = await under.endpoint({ answer: 500 });
  const { webhooks } = under.replica;
  const health = async () => (await webhooks.getEndpoint({ id, organizationId })).endpoint!.health;
  expect(await health()).toMatchObject({ failureRatio: 0, breaksAt: '' });
  await fails(organizationId, id, 10);
  expect(await health()).toMatchObject({ failureRatio: 0.5, breaksAt: '' });
  await until(() => mailsAbout(id).length === 1, { what: 'the first mail' });
  receiver.answer = 204;
  await under.stores.publish(eventsOf(organizationId, 1));
  await deliveriesOf(under.replica, id, 'DELIVERED');
  expect(await health()).toMatchObject({ failureRatio: 0, breaksAt: '' });
  receiver.answer = 500;
  await fails(organizationId, id, 10);
  await until(() => mailsAbout(id).length === 2, { what: 'a mail about the second time' });
});

test('a warning that cannot be sent now is sent later, also when its level is long past', async () => {
  away = 1;
  const { id, organizationId } = await under.endpoint({ answer: 500 });
  await fails(organizationId, id, 10);
  await until(() => away < 1, { what: 'the first try' });
  await under.stores.superuser.query('update warnings set next_try_at = now()');
  await until(() => mailsAbout(id).length === 1, { what: 'the mail' });
});

test('the query of a URL is not written into mails', async () => {
  const { organizationId, id } = await under.endpoint({ answer: 500 });
  const { webhooks } = under.replica;
  const { endpoint } = await webhooks.getEndpoint({ organizationId, id });
  const url = `${endpoint!.url}?token=hush-hush`;
  expect((await webhooks.updateEndpoint({ organizationId, id, url })).endpoint!.status).toBe(
    'ENABLED',
  );
  await fails(organizationId, id, 10);
  await until(() => mailsAbout(id).length === 1, { what: 'the mail' });
  expect(mailsAbout(id)[0]).not.toContain('hush');
});

describe('how close', () => {
  const limits = { brokenFailures: 100, brokenMinAgeMs: 3600, brokenSilenceMs: 9000 };
  const well = { consecutiveFailures: 0, failingSince: null, lastWellAt: 500, exhausted: 0 };
  test.each([
    [{}, 0, null, 0],
    [{ consecutiveFailures: 49, failingSince: 1000 }, 0.49, null, 0],
    [{ consecutiveFailures: 50, failingSince: 1000 }, 0.5, null, 50],
    [{ consecutiveFailures: 89, failingSince: 1000 }, 0.89, null, 70],
    [{ consecutiveFailures: 90, failingSince: 1000, exhausted: 2 }, 0.9, 9500, 90],
    [{ consecutiveFailures: 100, failingSince: 1000 }, 1, 4600, 90],
    [{ consecutiveFailures: 250, failingSince: 1000, exhausted: 1 }, 1, 4600, 90],
  ])('%j', (of, ratio, at, level) => {
    const health = { ...well, ...of };
    expect(failureRatio(health, limits)).toBe(ratio);
    expect(breaksAt(health, limits)).toBe(at);
    expect(warningLevel(health, limits)).toBe(level);
  });
});
