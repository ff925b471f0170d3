/** Which endpoints operators see as becoming BROKEN. */
import { expect, test } from '@jest/globals';
import { underTest } from '../under-test.ts';

const under = underTest();

const set = async (id: string, values: string) =>
  under.stores.superuser.query(`update endpoints set ${values} where id = $1`, [id]);

const counted = async (): Promise<number> => {
  const page = await under.replica.telemetry.metrics.metrics();
  return Number(/^webhook_breaking_endpoints\{[^}]*\} (\d+)$/m.exec(page)![1]);
};

test.each([
  ['well', 'failing_since = null', false],
  ['with 49 failures of 100', 'consecutive_failures = 49, failing_since = now()', false],
  ['with 50 failures of 100', 'consecutive_failures = 50, failing_since = now()', true],
  ['with an exhausted delivery', 'exhausted = 1', true],
  [
    'with 277 failures, disabled',
    'consecutive_failures = 277, failing_since = now(), disabled = true',
    false,
  ],
  [
    'with 277 failures, not verified',
    "consecutive_failures = 277, failing_since = now(), status = 'PENDING_VERIFICATION'",
    false,
  ],
])('an endpoint %s is listed and counted, or not', async (_, values, isListed) => {
  const { id } = await under.endpoint();
  const { deliveries } = under.replica;
  const before = await counted();
  await set(id, values);
  const { endpoints, hasMore } = await deliveries.listBreakingEndpoints({});
  expect([endpoints.map((one) => one.id).includes(id), hasMore]).toEqual([isListed, false]);
  const after = await counted();
  expect(after - before).toBe(isListed ? 1 : 0);
});

test('the endpoint with the most failures is the first, with the time at which it breaks', async () => {
  const { id } = await under.endpoint();
  await set(id, "consecutive_failures = 9999, failing_since = now() - interval '8 min'");
  const [first] = (await under.replica.deliveries.listBreakingEndpoints({})).endpoints;
  expect(first!.id).toBe(id);
  const inMinutes = (Date.parse(first!.health!.breaksAt) - Date.now()) / 60_000;
  expect(Math.round(inMinutes)).toBe(52);
});
