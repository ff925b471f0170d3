import { expect, test } from '@jest/globals';
import type { Database, Transaction } from '@pto/database';
import { afterCommit } from '../../src/dispatcher/dispatcher.ts';

/** A database whose transactions commit when the test says so. */
const fakeDatabase = () =>
  ({
    transaction: async (work: (tx: Transaction) => unknown) => work({} as Transaction),
  }) as unknown as Database;

test('the callback runs for each committed transaction that was marked, also beside unmarked ones', async () => {
  let told = 0;
  const { db, mark } = afterCommit(fakeDatabase(), () => told++);
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const slow = db.transaction(async (tx) => {
    mark(tx);
    await goOn;
  });
  await db.transaction(async () => {}); // commits while the other is under way
  expect(told).toBe(0);
  await db.transaction(async (tx) => mark(tx));
  expect(told).toBe(1);
  resolve();
  await slow;
  expect(told).toBe(2);
});

test('a transaction that fails is not told', async () => {
  let told = 0;
  const { db, mark } = afterCommit(fakeDatabase(), () => told++);
  const failing = db.transaction(async (tx) => {
    mark(tx);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(told).toBe(0);
});
