import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { shardCounts, shardsOf, slicesByFamily } from '../../src/shards.ts';
import { markAndRead } from '../../src/unsent.ts';
import { sendingService } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
beforeEach(async () => {
  service = await sendingService();
});
afterEach(() => service.stop());

const keys = Array.from({ length: 400 }, (_, n) => `key-${n}`);

/** The keys of the rows that a relay with these shards reads, in their order. */
const read = async (shards: readonly number[]) => {
  const found = await markAndRead(service.db, {
    sent: [],
    from: slicesByFamily(shards),
    most: 10_000,
  });
  return [...found.values()].flat().map(({ key }) => key);
};

test.each(shardCounts)('%s shards have each row once, and all rows of a key', async (count) => {
  await service.add(keys.map((key) => service.message(key, 1)));
  await service.add(keys.map((key) => service.message(key, 2)));
  const shards = shardsOf(count);
  const found: string[][] = [];
  for (const shard of shards) found.push(await read([shard]));
  expect(found.flat().sort()).toEqual([...keys, ...keys].sort());
  for (const ofShard of found) {
    expect(ofShard.length).toBeGreaterThan(0);
    expect(ofShard).toHaveLength(2 * new Set(ofShard).size);
  }
  expect((await read(shards)).sort()).toEqual([...keys, ...keys].sort());
});

test('a relay with several shards of a family reads their rows in the order of writing', async () => {
  await service.add(keys.map((key) => service.message(key, 1)));
  const [first, second] = [await read([16]), await read([20])];
  const both = await read([16, 20]);
  expect(both).toEqual(keys.filter((key) => first.includes(key) || second.includes(key)));
  expect(both).toHaveLength(first.length + second.length);
});
