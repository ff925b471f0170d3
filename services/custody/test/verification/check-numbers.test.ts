import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { checkNumbers } from '../../src/verification/check-numbers.ts';
import { type FeedUnderTest, startFeed } from '../feed/a-feed.ts';

let feed: FeedUnderTest;
const [own, other] = [randomUUID(), randomUUID()];
let orders: string[];
beforeEach(async () => {
  feed = await startFeed();
  orders = await feed.append(
    feed.db,
    Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? own : other)),
  );
  await feed.place();
});
afterEach(() => feed.stop());

/** The indexes of the leaves whose numbers are wrong, in pages of seven leaves. */
const wrong = async () => {
  const found: (readonly [string, string])[] = [];
  for (let from = 0; from < 40; from += 7)
    for (const { orderId, reason } of await checkNumbers(feed.db, from, from + 7))
      found.push([orderId, reason]);
  return found;
};
const named = (leaf: number) => [
  orders[leaf],
  `leaf ${leaf} does not have the next number of its organization`,
];
/** Changes rows as somebody does whom no trigger and no constraint stops. */
const tamper = async (statement: string): Promise<void> => {
  await feed.owner.query('alter table log_leaves disable trigger all');
  await feed.owner.query(statement);
};

test('the numbers of an untouched log are right, page by page', async () => {
  expect(await wrong()).toEqual([]);
});

test('names the leaf behind a gap', async () => {
  await tamper('update log_leaves set number = number + 100 where leaf_index = 38');
  expect(await wrong()).toEqual([named(38)]);
  await tamper('delete from log_leaves where leaf_index = 3');
  expect(await wrong()).toEqual([named(5), named(38)]);
});

test('names leaves that are not in the order of the log', async () => {
  await tamper('update log_leaves set number = -number where leaf_index in (10, 12)');
  await tamper('update log_leaves set number = 13 + number where leaf_index in (10, 12)');
  // 10 had number 6 and has 7, 12 had 7 and has 6
  expect(await wrong()).toEqual([named(10)]);
});

test("names a leaf of another organization than its order's", async () => {
  await tamper(`update chains set organization_id = '${other}' where order_id = '${orders[4]}'`);
  expect(await wrong()).toEqual([named(4)]);
});

test('names a number below 1', async () => {
  await tamper('update log_leaves set number = 0 where leaf_index = 0');
  expect(await wrong()).toEqual([named(0), named(2)]);
});
