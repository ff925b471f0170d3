import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { addToOutbox } from '@pto/outbox';
import { custodyCheckpointsTopic, custodyEventsTopic } from '@pto/proto/topics';
import { remainingToAnchor, remainingToSend } from '../../src/moves/remaining.ts';
import { countEntries, newestNumber } from '../../src/moves/stored-entries.ts';
import { type FeedUnderTest, startFeed } from '../feed/a-feed.ts';

let feed: FeedUnderTest;
beforeAll(async () => {
  feed = await startFeed();
});
afterAll(() => feed.stop());

const announce = (topic: string, key: string) =>
  feed.db.transaction((tx) =>
    addToOutbox(tx, [{ topic, key, id: randomUUID(), type: 'test', value: new Uint8Array() }]),
  );

test('the source waits for its own queued entries and unsent custody events alone', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  const [order, , foreign] = await feed.append(feed.db, [own, own, other]);
  await announce(custodyEventsTopic, order!);
  await announce(custodyEventsTopic, foreign!);
  await announce(custodyCheckpointsTopic, 'log.test/custody');
  expect(await remainingToSend(feed.db, own)).toBe(3);
  await feed.place();
  expect(await remainingToSend(feed.db, own)).toBe(1);
  await feed.owner.query('update outbox set sent_at = now() where key = $1', [order]);
  expect(await remainingToSend(feed.db, own)).toBe(0);
  expect(await remainingToSend(feed.db, other)).toBe(1);
});

test('the target waits until an anchored checkpoint covers its own entries', async () => {
  const [own, other] = [randomUUID(), randomUUID()];
  await feed.append(feed.db, [own, other, own, other]);
  expect(await remainingToAnchor(feed.db, own)).toBe(2);
  await feed.place();
  expect(await remainingToAnchor(feed.db, own)).toBe(2);
  const [log] = await feed.owner.query<{ size: number }>('select size::int from log_state');
  const anchor = (size: number) =>
    feed.owner.query('update log_state set anchored_size = $1', [size]);
  await anchor(log!.size - 2);
  expect(await remainingToAnchor(feed.db, own)).toBe(1);
  await anchor(log!.size - 1);
  expect(await remainingToAnchor(feed.db, own)).toBe(0);
  expect(await remainingToAnchor(feed.db, other)).toBe(1);
});

test('counts entries with and without a leaf, and marks those with one', async () => {
  const own = randomUUID();
  expect([await countEntries(feed.db, own), await newestNumber(feed.db, own)]).toEqual([0, 0]);
  await feed.append(feed.db, [own, own, randomUUID()]);
  expect([await countEntries(feed.db, own), await newestNumber(feed.db, own)]).toEqual([2, 0]);
  await feed.place();
  await feed.append(feed.db, [own]);
  expect([await countEntries(feed.db, own), await newestNumber(feed.db, own)]).toEqual([3, 2]);
  await feed.place();
});
