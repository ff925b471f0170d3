import { describe, expect, test } from '@jest/globals';
import { createTelemetry } from '@pto/telemetry';
import type { EachBatchPayload } from 'kafkajs';
import { batchSpacing, createBatchHandler } from '../../src/kafka/kafka-batch.ts';

/** A clock that stands still until it is moved. */
const clock = () => {
  let at = 1000;
  const move = (ms: number) => {
    at += ms;
  };
  return { now: () => at, move };
};

describe('the rounds of a consumer', () => {
  test('have no pause while a round has one or two messages', () => {
    const spacing = batchSpacing(clock().now);
    spacing.begin(1);
    expect(spacing.waitMs()).toBe(0);
    spacing.begin(1);
    expect(spacing.waitMs()).toBe(0);
  });

  test('begin 25 ms apart while a round has three messages, of one partition or of several', () => {
    const { now, move } = clock();
    const spacing = batchSpacing(now);
    for (const size of [1, 1, 1]) spacing.begin(size);
    move(10);
    expect(spacing.waitMs()).toBe(15);
    move(15);
    spacing.begin(3);
    expect(spacing.waitMs()).toBe(25);
  });

  test('have no pause after a round that took longer', () => {
    const { now, move } = clock();
    const spacing = batchSpacing(now);
    spacing.begin(200);
    move(30);
    expect(spacing.waitMs()).toBe(0);
  });

  test('have no pause any more once few messages come', () => {
    const { now, move } = clock();
    const spacing = batchSpacing(now);
    spacing.begin(3);
    move(25);
    spacing.begin(1);
    expect(spacing.waitMs()).toBe(0);
  });
});

test('a batch of three messages ends 25 ms after it began, so the next fetch waits', async () => {
  const handled: string[][] = [];
  const handler = createBatchHandler({
    subscription: {
      group: 'ledger',
      topic: 'orders',
      handle: async (batch) => void handled.push(batch.map(({ offset }) => offset)),
    },
    stopping: new AbortController().signal,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
    loss: { received: async () => true, handled: () => {} },
  });
  const messages = ['0', '1', '2'].map((offset) => ({ offset }));
  const payload = {
    batch: { topic: 'orders', partition: 0, messages },
    isRunning: () => true,
    isStale: () => false,
    resolveOffset: () => {},
    heartbeat: async () => {},
    commitOffsetsIfNecessary: async () => {},
  } as unknown as EachBatchPayload;
  const begunAt = performance.now();
  await handler.eachBatch(payload);
  expect(handled).toEqual([['0', '1', '2']]);
  expect(performance.now() - begunAt).toBeGreaterThan(23); // a timer can end 1 ms early
  handler.close();
});
