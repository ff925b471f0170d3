import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

// the default, so that the tests show what a partner gets
const under = underTest(
  {
    WEBHOOKS_PROBES_PER_HOST_PER_MINUTE: '600',
    WEBHOOKS_CONNECT_TIMEOUT: '1500ms', // how long each unreachable handshake takes
  },
  2,
);
// nobody listens there: the handshake fails at once
const url = 'https://localhost:1/hooks';

test('of forty creations at the same moment on two replicas, twenty are made', async () => {
  const organizationId = anOrganization();
  const made = await Promise.allSettled(
    Array.from({ length: 40 }, (_, n) =>
      under.replicas[n % 2]!.webhooks.createEndpoint({ organizationId, url }),
    ),
  );
  const refused = made.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(refused).toHaveLength(20);
  for (const failure of refused)
    expect(failure).toMatchObject({ kind: 'WEBHOOK_LIMIT_REACHED', details: { limit: 20 } });
  const { endpoints } = await under.replica.webhooks.listEndpoints({ organizationId });
  expect(endpoints).toHaveLength(20);
  expect(new Set(endpoints.map(({ status }) => status))).toEqual(new Set(['PENDING_VERIFICATION']));
});

test('a removed one makes room, and other organizations have their own twenty', async () => {
  const organizationId = anOrganization();
  const { webhooks } = under.replica;
  const create = () => webhooks.createEndpoint({ organizationId, url });
  const [first] = await Promise.all(Array.from({ length: 20 }, create));
  await expect(create()).rejects.toMatchObject({ kind: 'WEBHOOK_LIMIT_REACHED' });
  await webhooks.createEndpoint({ organizationId: anOrganization(), url });
  await webhooks.deleteEndpoint({ organizationId, id: first!.endpoint!.id });
  await create();
});

test('twenty endpoints are created, verified and tested at once, whatever their receiver returns', async () => {
  const echoing = await under.receiver();
  const silent = await under.receiver();
  silent.echoes = false;
  for (const receiver of [echoing, silent]) {
    const organizationId = anOrganization();
    const each = Array.from({ length: 20 }, async (_, n) => {
      const { webhooks } = under.replicas[n % 2]!;
      const { endpoint } = await webhooks.createEndpoint({ organizationId, url: receiver.url });
      const which = { id: endpoint!.id, organizationId };
      const { verified } = await webhooks.verifyEndpoint(which);
      return { verified, ...(await webhooks.testEndpoint(which)) };
    });
    const expected = { verified: receiver.echoes, delivered: true };
    expect(await Promise.all(each)).toMatchObject(each.map(() => expected));
  }
});

test('twenty creations that wait for another one take no connections from other organizations', async () => {
  const organizationId = anOrganization();
  const { webhooks } = under.replica;
  let made: Promise<unknown[]> | undefined;
  await under.stores.superuser.transaction(async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [
      `endpoints of ${organizationId}`,
    ]);
    const create = () => webhooks.createEndpoint({ organizationId, url });
    made = Promise.all(Array.from({ length: 20 }, create));
    await until(async () => (await waiting()) > 0, { what: 'a creation that waits for the lock' });
    const other = { organizationId: anOrganization(), url };
    expect((await webhooks.createEndpoint(other)).endpoint).toBeDefined();
    expect(await waiting()).toBe(1);
  });
  expect(await made).toHaveLength(20);
});

/** Number of transactions that wait for an advisory lock. */
const waiting = async (): Promise<number> => {
  const [row] = await under.stores.superuser.query<{ count: number }>(
    `select count(*)::int as count from pg_locks l join pg_database d on d.oid = l.database
     where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
  );
  return row!.count;
};

test('ten keys may spend their writes of a minute on a receiver that is broken', async () => {
  await under.stores.superuser.query('delete from probe_budgets');
  const { webhooks } = under.replica;
  const receiver = await under.receiver();
  receiver.echoes = false;
  const organizationId = anOrganization();
  const { endpoint } = await webhooks.createEndpoint({ organizationId, url: receiver.url });
  const which = { id: endpoint!.id, organizationId };
  // ten keys in one minute; the contract gives 60 writes to each
  for (let n = 0; n < 599; n += 20)
    await Promise.all(
      Array.from({ length: Math.min(20, 599 - n) }, () => webhooks.verifyEndpoint(which)),
    );
  expect(receiver.asked).toHaveLength(600);
});
