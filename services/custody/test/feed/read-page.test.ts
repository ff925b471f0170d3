import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Sql } from '@pto/database';
import { Client } from 'pg';
import { readPage } from '../../src/feed/read-page.ts';
import { type FeedUnderTest, startFeed } from './a-feed.ts';

let feed: FeedUnderTest;
const [own, other, calm] = [randomUUID(), randomUUID(), randomUUID()];
let orders: string[];
beforeAll(async () => {
  feed = await startFeed();
  const all = await feed.append(
    feed.db,
    Array.from({ length: 750 }, (_, n) => (n % 3 === 0 ? own : other)),
  );
  orders = all.filter((_, n) => n % 3 === 0);
  await feed.place();
});
afterAll(() => feed.stop());

test('pages contain each entry of the organization once, in order, and no entry of another', async () => {
  const read: string[] = [];
  const sizes: number[] = [];
  for (let after = 0, hasMore = true; hasMore; ) {
    const page = await readPage(feed.db, { organizationId: own, after, limit: 100 });
    read.push(...page.events.map(({ orderId }) => orderId));
    sizes.push(page.events.length);
    expect(page.events.map(({ number }) => Number(number))).toEqual(
      page.events.map((_, n) => after + n + 1),
    );
    expect(page.events.map(({ leafIndex }) => Number(leafIndex))).toEqual(
      page.events.map((_, n) => (after + n) * 3),
    );
    after += page.events.length;
    hasMore = page.hasMore;
    expect(page.logSize).toBe(750);
  }
  expect(read).toEqual(orders);
  expect(sizes).toEqual([100, 100, 50]);
});

test('a page has at most its limit, and at most 100 events', async () => {
  const sizes = await Promise.all(
    [0, 1, 99, 100, 101, 100_000].map(
      async (limit) =>
        (await readPage(feed.db, { organizationId: own, after: 0, limit })).events.length,
    ),
  );
  expect(sizes).toEqual([1, 1, 99, 100, 100, 100]);
});

test('a page behind the last entry, or of an organization without entries, is empty', async () => {
  for (const [organizationId, after, newest] of [
    [own, 250, 250],
    [own, Number.MAX_SAFE_INTEGER, 250],
    [calm, 0, 0],
  ] as const) {
    const page = await readPage(feed.db, { organizationId, after, limit: 50 });
    expect(page).toMatchObject({ events: [], hasMore: false, logSize: 750, newest });
    expect(page.asOf).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  }
});

test('reads only the rows of the page, by indexes', async () => {
  const client = new Client({ connectionString: feed.database.serviceUrl });
  await client.connect();
  await feed.owner.query('analyze log_leaves, entries');
  let plan = '';
  const explaining: Sql = {
    query: async (text, values) => {
      const { rows } = await client.query(`explain (analyze, costs off) ${text}`, [
        ...(values ?? []),
      ]);
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    },
  };
  await client.query('set enable_seqscan = off');
  await readPage(explaining, { organizationId: own, after: 100, limit: 10 }).catch(() => {});
  await client.end();
  expect(plan).toContain('Index Scan using log_leaves_by_number');
  expect(plan).toMatch(/Index Scan using entries_\w+ on entries e \(.*rows=1\.00 loops=11\)/);
  expect(plan).not.toContain('Seq Scan');
  expect(plan).toMatch(/log_leaves_by_number on log_leaves l \(.*rows=11\.00 loops=1\)/);
});

test('a page is an error, and leaves out nothing, if the ledger has lost one of its entries', async () => {
  const attacker = new Client({ connectionString: feed.database.superuserUrl });
  await attacker.connect();
  await attacker.query('set session_replication_role = replica');
  await attacker.query('delete from entries where order_id = $1', [orders[4]]);
  await attacker.query('delete from log_leaves where order_id = $1', [orders[150]]);
  await attacker.end();
  for (const after of [0, 4, 100])
    await expect(
      readPage(feed.db, { organizationId: own, after, limit: 100 }),
    ).rejects.toMatchObject({
      kind: 'INTERNAL',
    });
  expect(
    (await readPage(feed.db, { organizationId: own, after: 0, limit: 4 })).events,
  ).toHaveLength(4);
});
