import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@pto/database';
import { migrations } from '../../migrations/index.ts';
import { type ClaimRequest, firstEndpoint, lostPausesMs } from '../../src/deliverer/claim.ts';
import { claimSql } from '../../src/deliverer/claim-sql.ts';
import { queueBacklog } from '../backlog.ts';
import { claimNow } from '../claim-now.ts';
import { explained } from '../explained.ts';
import { anOrganization, type ServiceDatabase, startDatabase } from '../webhooks-service.ts';

let stores: ServiceDatabase;
let big: string[];
let small: string[];
const organizations = new Map<string, string>();

beforeAll(async () => {
  stores = await startDatabase();
  await migrate(stores.database.ownerUrl, migrations);
  const url = 'https://hooks.example.com/';
  const queue = async (endpoints: number, deliveriesEach: number) => {
    const organizationId = anOrganization();
    const ids = await queueBacklog(stores, { organizationId, url, endpoints, deliveriesEach });
    for (const id of ids) organizations.set(id, organizationId);
    return ids;
  };
  // the small ones come later, and have the later ids
  big = await queue(200, 100);
  small = [...(await queue(1, 1)), ...(await queue(2, 3))];
  await stores.superuser.query('vacuum analyze pending_deliveries, endpoints');
}, 120_000);
afterAll(() => stores.stop());

const claim = async (more: Partial<ClaimRequest>) => {
  const claimed = await claimNow(stores.superuser, more);
  await stores.superuser.query('update pending_deliveries set lease_until = null');
  const counts = new Map<string, number>();
  for (const { endpointId } of claimed) counts.set(endpointId, (counts.get(endpointId) ?? 0) + 1);
  return { counts, of: (ids: readonly string[]) => sum(ids.map((id) => counts.get(id) ?? 0)) };
};

/** Attempts in flight: so many slots of each endpoint. */
const slotsOf = (counts: readonly (readonly [id: string, slots: number])[]) =>
  new Map(
    counts.map(([id, slots]) => [id, { organizationId: organizations.get(id)!, slots }] as const),
  );

const sum = (numbers: readonly number[]) => numbers.reduce((all, n) => all + n, 0);

test('few slots: every organization gets one, even beside an old backlog', async () => {
  const [alone = '', ...two] = small;
  const three = await claim({ most: 3 });
  expect([three.of(big), three.of([alone]), three.of(two)]).toEqual([1, 1, 1]);
  const five = await claim({ most: 5 });
  expect([five.of(big), five.of([alone]), five.of(two)]).toEqual([2, 1, 2]);
  // and within one, each endpoint its turn
  expect(two.map((id) => five.counts.get(id))).toEqual([1, 1]);
});

test('a single slot goes to the endpoint with the fewest attempts in flight', async () => {
  const [alone = '', ...two] = small;
  const inFlight = slotsOf([
    [alone, 3],
    [big[0]!, 2],
    [two[0]!, 1],
  ]);
  const one = await claim({ most: 1, inFlight });
  expect([...one.counts.keys()]).toEqual([two[1]]);
});

test('an organization uses at most its slots', async () => {
  const free = await claim({ most: 256 });
  expect([free.of(big), free.of(small)]).toEqual([64, 7]);
  const inFlight = slotsOf(big.slice(0, 60).map((id) => [id, 1]));
  const nearlyFull = await claim({ most: 256, inFlight });
  expect([nearlyFull.of(big), nearlyFull.of(small)]).toEqual([4, 7]);
});

test('failing endpoints of all organizations share a part of the slots', async () => {
  const { superuser } = stores;
  const failures = (count: number) =>
    superuser.query('update endpoints set consecutive_failures = $2 where id <> all ($1::uuid[])', [
      small.slice(0, 1),
      count,
    ]);
  await failures(10);
  const free = await claim({ most: 256, failing: 10 });
  expect([free.of(big) + free.of(small.slice(1)), free.of(small.slice(0, 1))]).toEqual([10, 1]);
  const inFlight = slotsOf([...big.slice(0, 7), small[1]!].map((id) => [id, 1]));
  const nearlyFull = await claim({ most: 256, failing: 10, inFlight });
  expect(sum([...nearlyFull.counts.values()])).toBe(3);
  expect(nearlyFull.of(small.slice(0, 1))).toBe(1);
  await failures(0);
});

test('of 20,000 due, a claim reads by the index as many as its endpoints have slots', async () => {
  const perEndpoint = 8;
  const request = [firstEndpoint, 256, '{}', perEndpoint, 64, randomUUID(), 1000, 64, 128];
  const parameters = [...request, lostPausesMs, [60_000]];
  const claimed = await explained(stores.superuser, claimSql, parameters);
  expect(claimed.ways('pending_deliveries')).not.toContain('Seq Scan');
  // due rows, an earlier one of the order looked for with each, and each endpoint's first
  const rows = claimed.rows('pending_deliveries');
  expect(rows).toBeGreaterThan(0);
  expect(rows).toBeLessThan(5 * perEndpoint * (big.length + small.length));
  process.stdout.write(`a claim of 64 in 20,000: ${claimed.ms} ms, ${rows} rows\n`);
});
