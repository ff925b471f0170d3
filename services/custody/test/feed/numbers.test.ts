import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { integrate } from '../../src/log/integrate.ts';
import { type FeedUnderTest, open, startFeed } from './a-feed.ts';

let feed: FeedUnderTest;
beforeAll(async () => {
  feed = await startFeed();
});
afterAll(() => feed.stop());

const organizations = (count: number) => Array.from({ length: count }, () => randomUUID());

test('numbers the entries of each organization from 1 in the order of the log, over many batches', async () => {
  const [a, b, c] = organizations(3) as [string, string, string];
  const expected = new Map<string, string[]>([a, b, c].map((id) => [id, []]));
  const batches = [[a, b, a, c, b, b], [c], [a, a, a], [b, c, b, c], [a]];
  for (const batch of batches) {
    const orders = await feed.append(feed.db, batch);
    for (const [n, organization] of batch.entries()) expected.get(organization)!.push(orders[n]!);
    await feed.place();
  }
  for (const [organization, orders] of expected)
    expect(await feed.ordersOf(organization)).toEqual(orders);
});

test('numbers an entry that commits late after those that were placed meanwhile', async () => {
  const [own] = organizations(1) as [string];
  let late: string[] = [];
  const queued = Promise.withResolvers<void>();
  const placed = Promise.withResolvers<void>();
  const appending = feed.db.transaction(async (tx) => {
    late = await feed.append(tx, [own, own]);
    queued.resolve();
    await placed.promise;
  });
  await queued.promise;
  // these have higher ids in the queue
  const early = await feed.append(feed.db, [own, own, own]);
  await feed.place();
  expect(await feed.ordersOf(own)).toEqual(early);
  placed.resolve();
  await appending;
  await feed.place();
  expect(await feed.ordersOf(own)).toEqual([...early, ...late]);
});

test('two sequencers beside 8 writers number every entry once', async () => {
  const ids = organizations(5);
  const other = await open(feed.database.serviceUrl);
  const appended = new Map<string, Set<string>>(ids.map((id) => [id, new Set()]));
  let isWriting = true;
  const sequence = async (db: typeof other) => {
    let failures = 0;
    while (isWriting) await integrate(db).catch(() => failures++);
    return failures;
  };
  const sequencers = [sequence(feed.db), sequence(other)];
  const write = async (lane: number) => {
    for (let n = 0; n < 25; n++)
      await feed.db.transaction(async (tx) => {
        const batch = Array.from(
          { length: 1 + ((n * 7 + lane) % 6) },
          (_, i) => ids[(n + i * lane) % 5]!,
        );
        const orders = await feed.append(tx, batch);
        if ((n + lane) % 4 === 0) await tx.query('select pg_sleep(0.02)'); // commits late
        for (const [i, id] of batch.entries()) appended.get(id)!.add(orders[i]!);
      });
  };
  await Promise.all(Array.from({ length: 8 }, (_, lane) => write(lane)));
  isWriting = false;
  expect(await Promise.all(sequencers)).toEqual([0, 0]);
  await feed.place();
  for (const id of ids) expect(new Set(await feed.ordersOf(id))).toEqual(appended.get(id));
  await other.close();
}, 60_000);

test('a sequencer whose transaction fails leaves queue, leaves and heads as they were', async () => {
  const [own] = organizations(1) as [string];
  const orders = await feed.append(feed.db, [own, own]);
  const failing = {
    ...feed.db,
    transaction: <T>(work: (tx: never) => Promise<T>) =>
      feed.db.transaction(async (tx) => {
        await work(tx as never);
        throw new Error('killed before the commit');
      }),
  };
  await expect(integrate(failing as typeof feed.db)).rejects.toThrow('killed before the commit');
  expect(await feed.ordersOf(own)).toEqual([]);
  await feed.place();
  expect(await feed.ordersOf(own)).toEqual(orders);
});

test('an entry without a chain is not lost: nothing is placed until the chain is there', async () => {
  const [own, orderId] = organizations(2) as [string, string];
  await feed.owner.query(
    `insert into log_queue (order_id, sequence, event_hash) values ($1, 1, 'a')`,
    [orderId],
  );
  await expect(integrate(feed.db)).rejects.toThrow();
  await feed.owner.query(
    `insert into chains (order_id, organization_id, sequence, head_hash) values ($1, $2, 1, 'a')`,
    [orderId, own],
  );
  await feed.place();
  expect(await feed.ordersOf(own)).toEqual([orderId]);
});

test("the service's role can neither remove a head nor change a leaf", async () => {
  for (const statement of [
    'delete from feed_heads',
    'truncate feed_heads',
    'update log_leaves set number = 1',
  ])
    await expect(feed.db.query(statement)).rejects.toThrow('permission denied');
});
