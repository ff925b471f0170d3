import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../../src/bus.ts';
import { sharedAttempts } from '../../src/consume/shared-attempts.ts';
import { consumingService } from '../consuming-service.ts';

const batchOf = (partition: number, count: number): IncomingMessage[] =>
  Array.from({ length: count }, (_, n) => ({
    topic: 't',
    partition,
    offset: `${n}`,
    key: `${partition}`,
    id: `${partition}-${n}`,
    type: 'test.happened',
    value: Buffer.from(''),
  }));

/** Attempts that end when the test says so. */
const startAttempts = () => {
  const running: { partitions: number[]; end: () => void; fail: (error: Error) => void }[] = [];
  const handle = sharedAttempts(
    (messages) =>
      new Promise((end, fail) => {
        running.push({ partitions: messages.map(({ partition }) => partition), end, fail });
      }),
  );
  return { handle, running };
};
const turns = async () => {
  for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
};

test('batches of partitions that wait share an attempt, of 200 messages at most', async () => {
  const { handle, running } = startAttempts();
  const first = [batchOf(0, 1), batchOf(1, 1)].map(handle);
  await turns();
  const later = [batchOf(2, 2), batchOf(3, 1), batchOf(4, 198), batchOf(5, 200)].map(handle);
  await turns();
  const partitions = () => running.map((one) => [...new Set(one.partitions)]);
  expect(partitions()).toEqual([
    [0, 1],
    [2, 3],
  ]);
  for (const { end } of running) end();
  await turns();
  expect(partitions().slice(2)).toEqual([[4], [5]]);
  for (const { end } of running) end();
  const results = await Promise.all([...first, ...later]);
  expect(results.map(({ isShared }) => isShared)).toEqual([true, true, true, true, false, false]);
});

test('a failed attempt settles each of its batches with the error', async () => {
  const { handle, running } = startAttempts();
  const both = Promise.all([handle(batchOf(0, 1)), handle(batchOf(1, 1))]);
  await turns();
  running[0]!.fail(new Error('failed'));
  for (const { attempt, isShared } of await both) {
    expect(isShared).toBe(true);
    await expect(attempt).rejects.toThrow('failed');
  }
});

test('a message that fails parks none of another partition, and is attempted three times on its own', async () => {
  const service = await consumingService(4);
  const { bus, message, effects } = service;
  const keys = Array.from({ length: 12 }, (_, n) => `key ${n}`);
  await bus.publish(keys.map((key) => message(key, 'good')));
  await bus.publish([message('key 0', 'bad')]);
  let alone = 0;
  const consumer = await service.start(
    async ({ value }) => {
      if (Buffer.from(value).toString() !== 'bad') return;
      alone++;
      throw new Failure('VALIDATION', 'It is bad.');
    },
    {
      handleBatch: async () => {
        throw new Failure('VALIDATION', 'One of them is bad.');
      },
    },
  );
  await service.consumed();
  expect(await effects()).toEqual(keys.map(() => 'good'));
  expect(await consumer.list({ limit: 10 })).toMatchObject([{ reason: 'VALIDATION: It is bad.' }]);
  expect(alone).toBe(3);
  await consumer.stop();
  await service.stop();
});
