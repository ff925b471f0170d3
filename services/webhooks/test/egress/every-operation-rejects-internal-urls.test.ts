import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { queueBacklog } from '../backlog.ts';
import { startCountingListener } from '../counting-listener.ts';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';
import { faultyUrls, refusedHosts } from './egress-attacks.ts';

// nothing is opened here for tests: what holds in production holds
const under = underTest({
  ENVIRONMENT: 'production',
  WEBHOOKS_EGRESS_ALLOW: '',
  WEBHOOKS_CONNECT_TIMEOUT: '600ms', // how long each unreachable handshake takes
});
let listener: Awaited<ReturnType<typeof startCountingListener>>;
const organizationId = anOrganization();
let patched: string;

beforeAll(async () => {
  listener = await startCountingListener();
  const url = 'https://hooks.localhost/';
  const { endpoint } = await under.replica.webhooks.createEndpoint({ organizationId, url });
  patched = endpoint!.id;
});
afterAll(() => listener.close());

/** Names, which are not checked before they are resolved. */
const names = ['localhost', 'LOCALHOST', 'localhost.', 'hooks.localhost', 'ⓛocalhost'];
const literals = refusedHosts.map(([host]) => host);

test.each([
  ...refusedHosts.map(([host, reason]) => [`https://${host}/`, reason] as const),
  ...faultyUrls,
])('%j is no URL for POST or PATCH: %s', async (url, reason) => {
  const { webhooks } = under.replica;
  const refusal = {
    kind: 'VALIDATION',
    details: { detail: [{ loc: ['body', 'url'], msg: expect.stringContaining(reason) }] },
  };
  const created = webhooks.createEndpoint({ organizationId: anOrganization(), url });
  await expect(created).rejects.toMatchObject(refusal);
  const updated = webhooks.updateEndpoint({ organizationId, id: patched, url });
  await expect(updated).rejects.toMatchObject(refusal);
});

test.each(names)('%s passes no handshake, at POST or PATCH', async (name) => {
  const { webhooks } = under.replica;
  for (const port of ['', `:${listener.port}`]) {
    const url = `https://${name}${port}/`;
    const asked = webhooks.createEndpoint({ organizationId: anOrganization(), url });
    // another port than 443 is refused at once
    const outcome = await asked.then(
      ({ endpoint }) => endpoint!.status,
      (error) => error.kind,
    );
    expect(outcome).toBe(port === '' ? 'PENDING_VERIFICATION' : 'VALIDATION');
  }
  const url = `https://${name}/`;
  const { endpoint } = await webhooks.updateEndpoint({ organizationId, id: patched, url });
  expect(endpoint).toMatchObject({ status: 'PENDING_VERIFICATION', url });
});

test('handshake, test and delivery refuse it too, were it stored already', async () => {
  const { webhooks } = under.replica;
  const stored: { id: string; organizationId: string; host: string }[] = [];
  for (const host of [...literals, ...names]) {
    const own = anOrganization();
    const [id = ''] = await queueBacklog(under.stores, {
      organizationId: own,
      url: `https://${host}:${listener.port}/`,
      endpoints: 1,
      deliveriesEach: 1,
    });
    stored.push({ id, organizationId: own, host });
  }
  const results = stored.map(async ({ host, ...which }) => {
    const { verified, handshake } = await webhooks.verifyEndpoint(which);
    expect([host, verified, handshake!.reason]).toEqual([host, false, 'unreachable']);
    const tested = await webhooks.testEndpoint(which);
    expect([host, tested]).toMatchObject([host, { delivered: false, error: 'unreachable' }]);
  });
  await Promise.all(results);
  const attempts = await until(
    async () => {
      const rows = await under.stores.superuser.query<{ endpoint_id: string; error: string }>(
        `select d.endpoint_id, a.error from attempts a join deliveries d on d.id = a.delivery_id`,
      );
      return rows.length === stored.length && rows;
    },
    { what: 'each delivery to be tried' },
  );
  const hostOf = new Map(stored.map(({ id, host }) => [id, host]));
  for (const { endpoint_id: id, error } of attempts) {
    // a busy machine may not resolve a name within 600 ms
    const mayBeLate = error === 'connect_timeout' && names.includes(hostOf.get(id)!);
    expect([hostOf.get(id), mayBeLate ? 'egress_refused' : error]).toEqual([
      hostOf.get(id),
      'egress_refused',
    ]);
  }
  expect(new Set(attempts.map((row) => row.endpoint_id)).size).toBe(stored.length);
  expect(listener.connections()).toBe(0);
  const urls = refusedHosts.length + faultyUrls.length;
  process.stdout.write(
    `${urls} URLs at POST and PATCH, ${stored.length} hosts at handshake, test and delivery: ` +
      `${listener.connections()} connections\n`,
  );
}, 60_000);
