import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const under = underTest({
  WEBHOOKS_PROBES_PER_HOST_PER_MINUTE: '12',
  WEBHOOKS_CONNECT_TIMEOUT: '2s',
});
const limited = { kind: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) };

/** Empties the budgets, so that the tests do not spend each other's host budget. */
const refill = () => under.stores.superuser.query('delete from probe_budgets');

/** Does it `times` times at once: the budget refills every 5 s, so a loop would race against that. */
const atOnce = <T>(times: number, act: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: times }, act));

/** An endpoint whose receiver returns no nonce. */
const unproven = async () => {
  await refill();
  const receiver = await under.receiver();
  receiver.echoes = false;
  const organizationId = anOrganization();
  const { endpoint } = await under.replica.webhooks.createEndpoint({
    organizationId,
    url: receiver.url,
  });
  return { id: endpoint!.id, organizationId, receiver };
};

test('requests of all kinds to a host that returns no nonce share its budget', async () => {
  const { webhooks } = under.replica;
  const { id, organizationId, receiver } = await unproven();
  const which = { id, organizationId };
  await webhooks.testEndpoint(which);
  await webhooks.verifyEndpoint(which);
  await webhooks.updateEndpoint({ ...which, url: `${receiver.url}?a` });
  await atOnce(8, () => webhooks.testEndpoint(which));
  const seen = receiver.asked.length + receiver.received.length;
  expect(seen).toBe(12);
  await expect(webhooks.testEndpoint(which)).rejects.toMatchObject(limited);
  await expect(webhooks.verifyEndpoint(which)).rejects.toMatchObject(limited);
  const moved = webhooks.updateEndpoint({ ...which, url: `${receiver.url}?b` });
  await expect(moved).rejects.toMatchObject(limited);
  const created = webhooks.createEndpoint({ organizationId, url: receiver.url });
  await expect(created).rejects.toMatchObject(limited);
  expect(receiver.asked.length + receiver.received.length).toBe(seen);
  // what was rejected has changed nothing
  const { endpoints } = await webhooks.listEndpoints({ organizationId });
  expect(endpoints.map(({ url, status }) => [url, status])).toEqual([
    [`${receiver.url}?a`, 'PENDING_VERIFICATION'],
  ]);
  // a change that causes no handshake costs nothing
  await webhooks.updateEndpoint({ ...which, disabled: true });
});

test('a host that returns no nonce gets so many, of all organizations together', async () => {
  const { webhooks } = under.replica;
  const { receiver } = await unproven();
  let made = 1;
  const rejected: unknown[] = [];
  const ofOne = () => {
    const organizationId = anOrganization();
    return atOnce(4, () =>
      webhooks.createEndpoint({ organizationId, url: receiver.url }).then(
        () => made++,
        (error) => rejected.push(error),
      ),
    );
  };
  await atOnce(4, ofOne);
  expect([made, receiver.asked.length]).toEqual([12, 12]);
  expect(rejected).toMatchObject(Array.from({ length: 5 }, () => limited));
});

test('concurrent requests do not exceed the budget', async () => {
  const { webhooks } = under.replica;
  const { id, organizationId, receiver } = await unproven();
  const settled = () => Promise.allSettled([webhooks.testEndpoint({ id, organizationId })]);
  const results = (await atOnce(20, settled)).flat();
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
  expect(receiver.received).toHaveLength(11);
});

test('the budget refills evenly', async () => {
  const { webhooks } = under.replica;
  const { id, organizationId } = await unproven();
  const test = () => webhooks.testEndpoint({ id, organizationId });
  await atOnce(11, test);
  const error = await test().catch((thrown) => thrown);
  expect(error).toMatchObject({ kind: 'RATE_LIMITED' });
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(5);
  await under.stores.superuser.query(
    "update probe_budgets set full_at = full_at - interval '5 seconds'",
  );
  expect(await test()).toMatchObject({ delivered: true });
});

test('a host that returns the nonce gets more than its budget', async () => {
  await refill();
  const { webhooks } = under.replica;
  const receiver = await under.receiver();
  const organizationId = anOrganization();
  const made = await Promise.all(
    Array.from({ length: 12 }, () =>
      webhooks.createEndpoint({ organizationId, url: receiver.url }),
    ),
  );
  const tried = made.map(async ({ endpoint }) => {
    const which = { id: endpoint!.id, organizationId };
    await webhooks.verifyEndpoint(which);
    await webhooks.updateEndpoint({ ...which, url: `${receiver.url}?moved` });
    return webhooks.testEndpoint(which);
  });
  expect(await Promise.all(tried)).toMatchObject(made.map(() => ({ delivered: true })));
});

test('a proven endpoint gives nothing back to the budget of its host', async () => {
  const { webhooks } = under.replica;
  const { id, organizationId, receiver } = await unproven();
  const own = await under.receiver();
  const proven = await webhooks.createEndpoint({ organizationId, url: own.url });
  await atOnce(11, () => webhooks.testEndpoint({ id, organizationId }));
  const { verified } = await webhooks.verifyEndpoint({ id: proven.endpoint!.id, organizationId });
  expect(verified).toBe(true);
  await expect(webhooks.testEndpoint({ id, organizationId })).rejects.toMatchObject(limited);
  expect(receiver.received).toHaveLength(11);
});

test('full budgets are forgotten', async () => {
  await unproven();
  await under.stores.superuser.query(`
    insert into probe_budgets values ('host:other.example', now() - interval '1 hour')`);
  const { webhooks } = under.replica;
  await webhooks.createEndpoint({
    organizationId: anOrganization(),
    url: 'https://localhost:1/hooks',
  });
  await until(
    async () => (await under.stores.superuser.query('select from probe_budgets')).length === 1,
    { what: 'the budget in use to be left' },
  );
});
