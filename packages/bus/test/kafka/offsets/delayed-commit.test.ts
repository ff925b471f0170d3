import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { delayedCommit } from '../../../src/kafka/offsets/delayed-commit.ts';

const uncommitted = { topics: [{ topic: 't', partitions: [{ partition: 0, offset: '9' }] }] };
const requests: unknown[] = [];
let error: Error | undefined;
const payload = {
  uncommittedOffsets: () => uncommitted,
  commitOffsetsIfNecessary: async (offsets?: unknown) => {
    requests.push(offsets);
    if (error) throw error;
  },
};
const telemetry = createTelemetry({ service: 'test', write: () => {} });

let offsets: ReturnType<typeof delayedCommit>;
const open = (everyMs: number) => {
  offsets = delayedCommit({ group: 'test', telemetry, everyMs });
};
beforeEach(() => {
  requests.length = 0;
  error = undefined;
});
afterEach(() => offsets.forget());

const sent = (count: number) => until(() => requests.length >= count, { what: 'requests' });

test('the batches of all partitions share a request', async () => {
  open(20);
  for (let n = 0; n < 3; n++) offsets.plan(payload);
  expect(requests).toEqual([]);
  await sent(1);
  expect(requests).toEqual([uncommitted]);
});

test('offsets whose request failed are sent again, without another message', async () => {
  open(20);
  error = new Error('rebalance');
  offsets.plan(payload);
  await sent(1);
  error = undefined;
  await sent(2);
  expect(requests[1]).toEqual(requests[0]);
});

test('an offset that is resolved during a request is sent by the next one', async () => {
  open(20);
  const slow = {
    ...payload,
    commitOffsetsIfNecessary: async (all?: unknown) => {
      requests.push(all);
      offsets.plan(payload);
    },
  };
  offsets.plan(slow);
  await sent(2);
});

test('flush sends at once and throws the error', async () => {
  open(60_000);
  offsets.plan(payload);
  error = new Error('rebalance');
  await expect(offsets.flush()).rejects.toThrow('rebalance');
  error = undefined;
  await offsets.flush();
  expect(requests.length).toBe(2);
});

test('nothing is sent for a group that was left', async () => {
  open(60_000);
  offsets.plan(payload);
  offsets.forget();
  await offsets.flush();
  expect(requests).toEqual([]);
});
