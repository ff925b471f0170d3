import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort, makeAuthority, until } from '@pto/testing';
import { startReceiver } from '../receiver.ts';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const connectTimeoutMs = 500;
const under = underTest({
  ENVIRONMENT: 'sandbox',
  // ::1 is not allowed, so it stands for an internal address
  WEBHOOKS_EGRESS_ALLOW: '127.0.0.0/8',
  WEBHOOKS_CONNECT_TIMEOUT: `${connectTimeoutMs}ms`,
  WEBHOOKS_ATTEMPT_TIMEOUT: '2500ms',
});

/** Not TLS. */
let plain: Server;
let urls: Record<string, string>;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  plain = createServer((_, response) => response.end());
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const foreign = makeAuthority();
  const receiver = await startReceiver(foreign);
  closers.push(
    () => plain.close(),
    () => receiver.close(),
    () => foreign.forget(),
  );
  urls = {
    internal: 'https://ip6-localhost:1/',
    unknown: 'https://no-such-name.invalid/',
    'without a listener': `https://localhost:${await freePort()}/`,
    untrusted: receiver.url,
    plain: `https://localhost:${(plain.address() as { port: number }).port}/`,
  };
});
afterAll(async () => {
  for (const close of closers) await close();
});

test.each(['internal', 'unknown', 'without a listener'])(
  'a host that is %s is unreachable, after the time to connect',
  async (which) => {
    const { webhooks } = under.replica;
    const organizationId = anOrganization();
    const expected = { ok: false, reason: 'unreachable' };
    const timed = async <T>(work: Promise<T>) => {
      const begun = performance.now();
      const result = await work;
      expect(performance.now() - begun).toBeGreaterThan(connectTimeoutMs - 20);
      return result;
    };
    const url = urls[which]!;
    const made = await timed(webhooks.createEndpoint({ organizationId, url }));
    expect(made.handshake).toMatchObject(expected);
    expect(made.handshake!.statusCode).toBeUndefined();
    const { id } = made.endpoint!;
    const verified = await timed(webhooks.verifyEndpoint({ organizationId, id }));
    expect([verified.verified, verified.handshake]).toMatchObject([false, expected]);
    const moved = webhooks.updateEndpoint({ organizationId, id, url: `${url}?moved` });
    expect((await timed(moved)).handshake).toMatchObject(expected);
    const tested = await timed(webhooks.testEndpoint({ organizationId, id }));
    expect(tested).toMatchObject({ delivered: false, error: 'unreachable' });
  },
);

test('the log has the exact cause', async () => {
  const { webhooks } = under.replica;
  const { endpoint } = await webhooks.createEndpoint({
    organizationId: anOrganization(),
    url: urls.unknown!,
  });
  const lines = await until(
    () => {
      const found = under.replica.lines.filter((line) => line.includes(endpoint!.id));
      return found.length > 0 && found;
    },
    { what: 'the line in the log' },
  );
  expect(JSON.parse(lines[0]!)).toMatchObject({
    msg: 'handshake failed',
    reason: 'unreachable',
    err: { message: expect.stringContaining('DNS lookup failed (ENOTFOUND)') },
  });
});

test.each([
  ['untrusted', 'tls'],
  ['plain', 'tls'],
])('a host that is %s fails with %s', async (which, reason) => {
  const url = urls[which]!;
  const made = await under.replica.webhooks.createEndpoint({
    organizationId: anOrganization(),
    url,
  });
  expect(made.handshake).toMatchObject({ ok: false, reason });
});

test('a response that does not pass says why, with its status', async () => {
  const { webhooks } = under.replica;
  const { id, organizationId, receiver } = await under.endpoint();
  const verify = async () => (await webhooks.verifyEndpoint({ id, organizationId })).handshake;
  expect(await verify()).toMatchObject({ ok: true, reason: '', statusCode: 200 });
  receiver.echoes = false;
  expect(await verify()).toMatchObject({ ok: false, reason: 'body', statusCode: 200 });
  const unchanged = await webhooks.updateEndpoint({ id, organizationId, url: receiver.url });
  expect(unchanged.handshake).toBeUndefined();
});

test('a partner reads unreachable in a delivery, an operator the exact cause', async () => {
  const { webhooks, deliveries } = under.replica;
  const { id, organizationId } = await under.endpoint();
  const url = urls.unknown!;
  await webhooks.updateEndpoint({ id, organizationId, url });
  // the name has gone after the handshake
  await under.stores.superuser.query("update endpoints set status = 'ENABLED' where id = $1", [id]);
  const { eventsOf } = await import('../webhooks-service.ts');
  await under.stores.publish(eventsOf(organizationId, 1));
  const shown = await until(
    async () => {
      const page = await webhooks.listEndpointDeliveries({
        organizationId,
        endpointId: id,
        limit: 10,
      });
      return page.deliveries.find(({ attempts }) => attempts.length > 0);
    },
    { what: 'the first attempt' },
  );
  expect(shown.attempts[0]!.error).toBe('unreachable');
  expect(shown.attempts[0]!.durationMs).toBeGreaterThanOrEqual(connectTimeoutMs);
  const { delivery } = await deliveries.getDelivery({ id: shown.id });
  expect(delivery!.attempts[0]!.error).toBe('dns');
});
