import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Sql } from '@pto/database';
import { until } from '@pto/testing';
import { type FeedWaiters, startFeedWaiters } from '../../src/feed/feed-waiters.ts';
import { readPage } from '../../src/feed/read-page.ts';
import { type FeedUnderTest, silent, startFeed } from './a-feed.ts';

const signal = new AbortController().signal;

let feed: FeedUnderTest;
let statements: string[];
let failing: Error | null;
let waiters: FeedWaiters;
const counted: Sql = {
  query: (text, parameters) => {
    statements.push(text);
    return failing ? Promise.reject(failing) : feed.db.query(text, parameters);
  },
};
beforeAll(async () => {
  feed = await startFeed();
});
afterAll(() => feed.stop());
beforeEach(() => {
  [statements, failing] = [[], null];
  waiters = startFeedWaiters(counted, silent());
});
afterEach(() => waiters.stop());

const wait = async (
  organizationId: string,
  { ms = 20_000, until = signal, of = waiters, after = undefined as number | undefined } = {},
) => {
  const page = await readPage(feed.db, { organizationId, after: after ?? 0, limit: 100 });
  const last = after ?? page.events.length;
  return of.wait({ organizationId, after: last, logSize: page.logSize }, ms, until);
};
const place = async (...organizations: readonly string[]) => {
  await feed.append(feed.db, organizations);
  await feed.place();
};
const headReads = () => statements.filter((text) => text.includes('feed_heads')).length;

test('wakes exactly the calls of the organizations that got entries, by another replica', async () => {
  const [a, b, calm] = [randomUUID(), randomUUID(), randomUUID()];
  let calmEnded = false;
  const ended = new AbortController();
  const calmWait = wait(calm, { until: ended.signal }).finally(() => {
    calmEnded = true;
  });
  const waiting = [wait(a), wait(a), wait(b)];
  await until(() => statements.length > 2, { what: 'the watcher' });
  await place(a, b);
  expect(await Promise.all(waiting)).toEqual([true, true, true]);
  expect(calmEnded).toBe(false);
  ended.abort();
  expect(await calmWait).toBe(false);
});

test('finds an entry that was placed between the page and the wait', async () => {
  const own = randomUUID();
  const page = await readPage(feed.db, { organizationId: own, after: 0, limit: 1 });
  await place(own);
  const awaited = { organizationId: own, after: 0, logSize: page.logSize };
  expect(await waiters.wait(awaited, 20_000, signal)).toBe(true);
});

test('an entry of another number, or before the awaited one, does not wake', async () => {
  const own = randomUUID();
  await place(own);
  const found = wait(own, { after: 2, ms: 1000 });
  await place(own);
  expect(await found).toBe(false);
});

test('2,000 waiting calls make one statement every 100 ms, and none when they have ended', async () => {
  const ids = Array.from({ length: 2000 }, () => randomUUID());
  const { logSize } = await readPage(feed.db, { organizationId: ids[0]!, after: 0, limit: 1 });
  const begun = performance.now();
  const results = await Promise.all(
    ids.map((organizationId) => waiters.wait({ organizationId, after: 0, logSize }, 1500, signal)),
  );
  const ticks = (performance.now() - begun) / 100;
  expect(new Set(results)).toEqual(new Set([false]));
  expect(statements.length).toBeLessThanOrEqual(ticks + 2);
  expect(statements.length).toBeGreaterThan(ticks / 4);
  expect(headReads()).toBe(0); // the log did not grow
  const ended = statements.length;
  await place(randomUUID());
  waiters.wake(); // this process placed leaves, and nobody waits
  expect(await waiters.wait({ organizationId: ids[0]!, after: 0, logSize }, 0, signal)).toBe(false);
  expect(statements.length).toBeLessThanOrEqual(ended + 2);
});

test('reads the heads once for all calls when the log has grown', async () => {
  const ids = Array.from({ length: 500 }, () => randomUUID());
  const { logSize } = await readPage(feed.db, { organizationId: ids[0]!, after: 0, limit: 1 });
  const waiting = ids.map((organizationId) =>
    waiters.wait({ organizationId, after: 0, logSize }, 1000, signal),
  );
  await until(() => statements.length > 1, { what: 'the watcher' });
  await place(ids[3]!, ids[4]!);
  expect((await Promise.all(waiting)).filter(Boolean)).toHaveLength(2);
  expect(headReads()).toBe(1);
});

test('a call beyond the bound does not wait, and the calls at the bound do', async () => {
  const bounded = startFeedWaiters(counted, silent(), { waitersMax: 2 });
  const own = randomUUID();
  const waiting = [wait(own, { of: bounded }), wait(own, { of: bounded })];
  await until(() => statements.length > 1, { what: 'both to wait' });
  expect(await wait(own, { of: bounded })).toBe(false);
  await place(own);
  expect(await Promise.all(waiting)).toEqual([true, true]);
  const again = wait(own, { of: bounded });
  await bounded.stop();
  expect(await again).toBe(false);
});

test('waits on while the database is unavailable, and then finds the entry', async () => {
  const own = randomUUID();
  const found = wait(own);
  await until(() => statements.length > 0, { what: 'the watcher' });
  failing = new Error('unavailable');
  await place(own);
  const before = statements.length;
  await until(() => statements.length > before + 1, { what: 'two failed reads' });
  failing = null;
  expect(await found).toBe(true);
});

test('a stop ends all waits at once, and later ones too', async () => {
  const own = randomUUID();
  const waiting = [wait(own), wait(own)];
  await until(() => statements.length > 0, { what: 'the watcher' });
  await waiters.stop();
  expect(await Promise.all([...waiting, wait(own)])).toEqual([false, false, false]);
});
