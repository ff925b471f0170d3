import { expect, test } from '@jest/globals';
import { createPartitioner } from '../../src/kafka/partitioner.ts';

const metadata = (count: number) =>
  Array.from({ length: count }, (_, partitionId) => ({
    partitionId,
    partitionErrorCode: 0,
    leader: 1,
    replicas: [1],
    isr: [1],
  }));

const choose = (key: string, known: number, partitions?: number) =>
  createPartitioner()({
    topic: 'a',
    partitionMetadata: metadata(known),
    message: Object.assign({ key, value: null }, { partitions }),
  });

const keys = Array.from({ length: 200 }, (_, n) => `key ${n}`);

test('a key stays in its partition when partitions were added that it does not use yet', () => {
  for (const key of keys) expect(choose(key, 18, 12)).toBe(choose(key, 12));
});

test('without a number all partitions are used', () => {
  expect(new Set(keys.map((key) => choose(key, 18))).size).toBe(18);
});

test('a number that the producer does not know yet is rejected: kafkajs would drop the record', () => {
  expect(() => choose('a', 12, 18)).toThrow('has 12 of 18 partitions');
});
