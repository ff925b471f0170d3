import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { type BatchBounds, createBatches } from '../src/batches.ts';

/** Batches that end when the test says so. */
const startBatches = (
  bounds: BatchBounds<number> = { inFlightMax: 2, batchMax: 3, waitingMax: 10 },
) => {
  const running: { keys: readonly number[]; end(error?: Error): void }[] = [];
  const find = createBatches<number, string>(
    (keys) =>
      new Promise((resolve, reject) => {
        const answer = (key: number) => {
          if (key < 0) throw new Error(`no ${key}`);
          return `value ${key}`;
        };
        running.push({ keys, end: (error) => (error ? reject(error) : resolve(answer)) });
      }),
    bounds,
  );
  return { find, running, keys: () => running.map(({ keys }) => keys) };
};
const turn = () => new Promise((resolve) => setImmediate(resolve));
const turns = async () => {
  for (let n = 0; n < 5; n++) await turn();
};

test('calls of one turn share a batch, up to its size', async () => {
  const { find, running, keys } = startBatches();
  const all = Promise.all([1, 2, 3, 4].map(find));
  await turns();
  expect(keys()).toEqual([[1, 2, 3], [4]]);
  for (const { end } of running) end();
  expect(await all).toEqual(['value 1', 'value 2', 'value 3', 'value 4']);
});

test('calls that come while enough batches run share the next one', async () => {
  const { find, running, keys } = startBatches();
  const all = [find(1)];
  await turns();
  all.push(find(2));
  await turns();
  all.push(find(3), find(4));
  await turns();
  expect(keys()).toEqual([[1], [2]]);
  running[1]!.end();
  await turns();
  expect(keys()).toEqual([[1], [2], [3, 4]]);
  running[0]!.end();
  running[2]!.end();
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4].map((n) => `value ${n}`));
});

test('one key without a value fails alone', async () => {
  const { find, running } = startBatches();
  const all = Promise.allSettled([find(1), find(-1)]);
  await turns();
  running[0]!.end();
  expect(await all).toMatchObject([{ value: 'value 1' }, { reason: { message: 'no -1' } }]);
});

test('a batch that fails gives its error to each of its calls, and later calls go on', async () => {
  const { find, running } = startBatches();
  const failed = Promise.allSettled([find(1), find(2)]);
  await turns();
  running[0]!.end(new Error('lost'));
  expect(await failed).toMatchObject([
    { reason: { message: 'lost' } },
    { reason: { message: 'lost' } },
  ]);
  const later = find(3);
  await turns();
  running[1]!.end();
  expect(await later).toBe('value 3');
});

test('a call beyond those that may wait is SERVICE_UNAVAILABLE at once', async () => {
  const { find } = startBatches({ inFlightMax: 1, batchMax: 1, waitingMax: 2 });
  void find(1);
  await turns();
  void find(2);
  void find(3);
  await expect(find(4)).rejects.toMatchObject({ kind: 'SERVICE_UNAVAILABLE' });
});

test('a batch has keys up to a weight, and a heavier key is alone', async () => {
  const weight = { of: (key: number) => key, max: 5 };
  const { find, running, keys } = startBatches({
    inFlightMax: 9,
    batchMax: 3,
    waitingMax: 9,
    weight,
  });
  const all = Promise.all([1, 4, 1, 9, 2, 1, 1, 1].map(find));
  await turns();
  expect(keys()).toEqual([[1, 4], [1], [9], [2, 1, 1], [1]]);
  for (const { end } of running) end();
  await all;
});

test('after a large batch a small one waits until as many calls wait', async () => {
  const linger = { calls: 3, ms: 3_600_000 };
  const { find, keys } = startBatches({ inFlightMax: 9, batchMax: 9, waitingMax: 9, linger });
  for (const key of [1, 2, 3, 4]) void find(key);
  await turns();
  void find(5);
  await turns();
  void find(6);
  await turns();
  expect(keys()).toEqual([[1, 2, 3, 4]]);
  void find(7);
  await turns();
  expect(keys()).toEqual([
    [1, 2, 3, 4],
    [5, 6, 7],
  ]);
});

test('a small batch that has waited long enough begins, and the next one does not wait', async () => {
  const linger = { calls: 3, ms: 20 };
  const { find, keys } = startBatches({ inFlightMax: 9, batchMax: 9, waitingMax: 9, linger });
  for (const key of [1, 2, 3]) void find(key);
  await turns();
  void find(4);
  void find(5);
  await until(() => keys().length === 2, { what: 'the small batch' });
  void find(6);
  await turns();
  expect(keys()).toEqual([[1, 2, 3], [4, 5], [6]]);
});

test('fewer callers than a batch lingers for are never delayed', async () => {
  const linger = { calls: 3, ms: 3_600_000 };
  const { find, keys } = startBatches({ inFlightMax: 9, batchMax: 9, waitingMax: 9, linger });
  for (const key of [1, 3, 5]) {
    void find(key);
    void find(key + 1);
    await turns();
  }
  expect(keys()).toEqual([
    [1, 2],
    [3, 4],
    [5, 6],
  ]);
});
