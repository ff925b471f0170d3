import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { delayedCommit } from '../../../src/kafka/offsets/delayed-commit.ts';

const requests: unknown[] = [];
let error: Error | undefined;
const payload = {
  commitOffsetsIfNecessary: async (offsets?: unknown) => {
    requests.push(offsets);
    if (error) throw error;
  },
};
const telemetry = createTelemetry({ service: 'test', write: () => {} });

let offsets: ReturnType<typeof delayedCommit>;
const open = (everyMs: number) => {
  offsets = delayedCommit({ group: 'test', topic: 't', telemetry, everyMs });
};
beforeEach(() => {
  requests.length = 0;
  error = undefined;
});
afterEach(() => offsets.forget());

const sent = (count: number) => until(() => requests.length >= count, { what: 'requests' });

test('the last offsets of all partitions share a request', async () => {
  open(20);
  offsets.add(0, '5', payload);
  offsets.add(1, '7', payload);
  offsets.add(0, '9', payload);
  expect(requests).toEqual([]);
  await sent(1);
  const t = {
    topic: 't',
    partitions: [
      { partition: 0, offset: '9' },
      { partition: 1, offset: '7' },
    ],
  };
  expect(requests).toEqual([{ topics: [t] }]);
  await offsets.flush();
  expect(requests.length).toBe(1);
});

test('offsets whose request failed are sent again, without another message', async () => {
  open(20);
  error = new Error('rebalance');
  offsets.add(0, '5', payload);
  await sent(1);
  error = undefined;
  await sent(2);
  expect(requests[1]).toEqual(requests[0]);
});

test('an offset that is added during a request is sent by the next one', async () => {
  open(20);
  const slow = {
    commitOffsetsIfNecessary: async (all?: unknown) => {
      requests.push(all);
      offsets.add(0, '6', payload);
    },
  };
  offsets.add(0, '5', slow);
  await sent(2);
  expect(requests[1]).toEqual({
    topics: [{ topic: 't', partitions: [{ partition: 0, offset: '6' }] }],
  });
});

test('flush sends at once and throws the error', async () => {
  open(60_000);
  offsets.add(0, '5', payload);
  error = new Error('rebalance');
  await expect(offsets.flush()).rejects.toThrow('rebalance');
  error = undefined;
  await offsets.flush();
  expect(requests.length).toBe(2);
});

test('forgotten offsets are not sent', async () => {
  open(60_000);
  offsets.add(0, '5', payload);
  offsets.forget();
  await offsets.flush();
  expect(requests).toEqual([]);
});
