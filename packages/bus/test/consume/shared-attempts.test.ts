import { expect, test } from '@jest/globals';
import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../../src/bus.ts';
import { consumerMetrics } from '../../src/consume/consumer-metrics.ts';
import { positionsIn } from '../../src/consume/positions.ts';
import { createBatchProcessor, sharedAttempts } from '../../src/consume/process-batch.ts';
import { consumingService } from './consuming-service.ts';

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
  const { db, telemetry, group, topic, message, stop } = await consumingService();
  const handled: string[] = [];
  const none = async () => 0;
  const source = { group, topic };
  const samples = { lag: none, deadLetters: none, rejected: none };
  const processBatch = createBatchProcessor(
    db,
    {
      telemetry,
      rejection: () => undefined,
      handle: async ([message], _, isAlone) => {
        if (!isAlone) throw new Failure('VALIDATION', 'One of them is bad.');
        handled.push(Buffer.from(message!.value).toString());
        if (handled.at(-1) === 'bad') throw new Failure('VALIDATION', 'It is bad.');
      },
    },
    {
      source,
      metrics: consumerMetrics(telemetry.metrics, source, samples),
      positions: positionsIn(db, source),
      parked: () => {},
    },
  );
  const { signal } = new AbortController();
  await Promise.all(
    ['one', 'bad', 'two'].map((value, partition) =>
      processBatch([{ ...message(value, value), partition, offset: '0' }], signal),
    ),
  );
  expect(handled.toSorted()).toEqual(['bad', 'bad', 'bad', 'one', 'two']);
  expect(await db.query('select key from dead_letters')).toEqual([{ key: 'bad' }]);
  await stop();
});
