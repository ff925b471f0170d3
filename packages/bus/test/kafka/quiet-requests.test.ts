import { afterEach, expect, jest, test } from '@jest/globals';
import '../../src/kafka/kafka-connection.ts';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

afterEach(() => void jest.useRealTimers());

const openQueue = (
  options: { enforceRequestTimeout?: boolean; isConnected?: () => boolean } = {},
) =>
  new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 10_000,
    enforceRequestTimeout: false,
    ...options,
    clientId: 'test',
    broker: 'localhost:9092',
    logger: { debug: () => {}, warn: () => {} },
  });

const request = (correlationId: number, sent: number[]) => ({
  entry: { correlationId, apiName: 'Fetch', apiKey: 1, apiVersion: 1 },
  expectResponse: true,
  sendRequest: () => sent.push(correlationId),
});

test('a connection without waiting requests sets no timer', () => {
  const queue = openQueue();
  queue.checkPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
  queue.push(request(1, []));
  queue.checkPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
});

test('a request that waits is looked for', () => {
  const [queue, sent] = [openQueue(), [] as number[]];
  queue.push(request(1, sent));
  queue.push(request(2, sent));
  expect([sent, queue.pending.length]).toEqual([[1], 1]);
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  clearTimeout(queue.throttleCheckTimeoutId!);
});

test('a request without a response is rejected within a second after its timeout', () => {
  jest.useFakeTimers();
  const queue = openQueue({ enforceRequestTimeout: true });
  queue.scheduleRequestTimeoutCheck();
  const reject = jest.fn();
  const unanswered = request(1, []);
  queue.push({ ...unanswered, entry: { ...unanswered.entry, reject } });
  jest.advanceTimersByTime(10_000);
  expect(reject).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1000);
  expect(reject).toHaveBeenCalledWith(
    expect.objectContaining({ name: 'KafkaJSRequestTimeoutError' }),
  );
  queue.destroy();
});

test.each([-3_600_000, 3_600_000])(
  'a step of the wall clock by %s ms changes no timeout of a request',
  (ms) => {
    jest.useFakeTimers();
    const queue = openQueue({ enforceRequestTimeout: true });
    queue.scheduleRequestTimeoutCheck();
    const reject = jest.fn();
    const unanswered = request(1, []);
    queue.push({ ...unanswered, entry: { ...unanswered.entry, reject } });
    jest.setSystemTime(Date.now() + ms);
    jest.advanceTimersByTime(10_000);
    expect(reject).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1000);
    expect(reject).toHaveBeenCalledTimes(1);
    queue.destroy();
  },
);

test('a connection that a broker throttles sends again after that time, whatever the wall clock', () => {
  jest.useFakeTimers();
  const [queue, sent] = [openQueue(), [] as number[]];
  queue.maybeThrottle(500);
  queue.push(request(1, sent));
  jest.setSystemTime(Date.now() - 3_600_000);
  jest.advanceTimersByTime(499);
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(11);
  expect(sent).toEqual([1]);
});

test('a closed connection looks for no timeouts', () => {
  jest.useFakeTimers();
  let isConnected = true;
  const queue = openQueue({ enforceRequestTimeout: true, isConnected: () => isConnected });
  queue.scheduleRequestTimeoutCheck();
  expect(jest.getTimerCount()).toBe(1);
  isConnected = false;
  jest.advanceTimersByTime(1000);
  expect(jest.getTimerCount()).toBe(0);
});

test('a connection that enforces no timeouts sets no timer', () => {
  jest.useFakeTimers();
  openQueue().scheduleRequestTimeoutCheck();
  expect(jest.getTimerCount()).toBe(0);
});
