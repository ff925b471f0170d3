import { expect, test } from '@jest/globals';
import '../../src/kafka/kafka-connection.ts';
import RequestQueue from 'kafkajs/src/network/requestQueue/index.js';

const openQueue = () =>
  new RequestQueue({
    maxInFlightRequests: 1,
    requestTimeout: 10_000,
    enforceRequestTimeout: false,
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
