import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { underTest } from '../under-test.ts';
import { anOrganization } from '../webhooks-service.ts';

const under = underTest({
  WEBHOOKS_PROBES_PER_HOUR: '5',
  WEBHOOKS_PROBES_PER_HOST_PER_HOUR: '12',
  WEBHOOKS_CONNECT_TIMEOUT: '300ms',
});
const limited = { kind: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) };

/** Empties the budgets, so that the tests do not spend each other's host budget. */
const refill = () => under.stores.superuser.query('delete from probe_budgets');

test('an organization has so many handshakes and test requests, of all kinds together', async () => {
  await refill();
  const { webhooks } = under.replica;
  const { id, organizationId, receiver } = await under.endpoint();
  const which = { id, organizationId };
  await webhooks.testEndpoint(which);
  await webhooks.verifyEndpoint(which);
  await webhooks.updateEndpoint({ ...which, url: `${receiver.url}?a` });
  await webhooks.testEndpoint(which);
  const seen = receiver.asked.length + receiver.received.length;
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
    [`${receiver.url}?a`, 'ENABLED'],
  ]);
  // a change that causes no handshake costs nothing
  await webhooks.updateEndpoint({ ...which, disabled: true });
});

test('one host gets so many, of all organizations together', async () => {
  await refill();
  const { webhooks } = under.replica;
  const receiver = await under.receiver();
  let made = 0;
  const rejected: unknown[] = [];
  for (let n = 0; n < 4; n++) {
    const organizationId = anOrganization();
    for (let one = 0; one < 4; one++)
      await webhooks.createEndpoint({ organizationId, url: receiver.url }).then(
        () => made++,
        (error) => rejected.push(error),
      );
  }
  expect([made, receiver.asked.length]).toEqual([12, 12]);
  expect(rejected).toMatchObject([limited, limited, limited, limited]);
});

test('concurrent requests do not exceed the budget', async () => {
  await refill();
  const { webhooks } = under.replica;
  const { id, organizationId, receiver } = await under.endpoint();
  const sent = Array.from({ length: 12 }, () => webhooks.testEndpoint({ id, organizationId }));
  const results = await Promise.allSettled(sent);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(4);
  expect(receiver.received).toHaveLength(4);
});

test('the budget refills evenly', async () => {
  await refill();
  const { webhooks } = under.replica;
  const { id, organizationId } = await under.endpoint();
  const test = () => webhooks.testEndpoint({ id, organizationId });
  for (let n = 0; n < 4; n++) await test();
  const error = await test().catch((thrown) => thrown);
  expect(error.retryAfterSeconds).toBeGreaterThan(700); // 720 s each
  expect(error.retryAfterSeconds).toBeLessThanOrEqual(720);
  await under.stores.superuser.query(
    "update probe_budgets set full_at = full_at - interval '12 minutes'",
  );
  expect(await test()).toMatchObject({ delivered: true });
  await expect(test()).rejects.toMatchObject(limited);
});

test('full budgets are forgotten', async () => {
  await under.stores.superuser.query(
    "update probe_budgets set full_at = now() - interval '1 hour'",
  );
  await under.endpoint();
  await until(
    async () => (await under.stores.superuser.query('select from probe_budgets')).length === 2,
    { what: 'the two budgets in use to be left' },
  );
});
