import { describe, expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { outboxSettings } from '../../src/index.ts';
import { locksOf, shareOf } from '../../src/shard-share.ts';
import { allFamilies, allSlices, shardCounts, shardsOf, slicesByFamily } from '../../src/shards.ts';

const everyShard = shardCounts.flatMap(shardsOf);
const sliceNames = (shard: number): string[] =>
  [...slicesByFamily([shard])].flatMap(([family, set]) =>
    Array.from({ length: 16 }, (_, slice) => slice)
      .filter((slice) => (set >> slice) & 1)
      .map((slice) => `${family}/${slice}`),
  );

describe.each(shardCounts)('%s shards', (count) => {
  test('have each slice of each family once', () => {
    const names = shardsOf(count).flatMap(sliceNames);
    expect(names).toHaveLength(64);
    expect(new Set(names).size).toBe(64);
  });

  test('are all rows, and are not without one of them', () => {
    const shards = shardsOf(count);
    expect(areAllRows(shards)).toBe(true);
    for (const missing of shards)
      expect(areAllRows(shards.filter((shard) => shard !== missing))).toBe(false);
  });

  test('are divided among the members, each to one', () => {
    const members = [7, 3, 11, 5, 2].map((member) => ({ member, count }));
    const shares = members.map(({ member }) => shareOf(member, members));
    expect(shares.flat().sort((a, b) => a - b)).toEqual(shardsOf(count));
    const sizes = shares.map((share) => share.length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });
});

/** Whether every row belongs to one of the shards. */
const areAllRows = (shards: readonly number[]): boolean => {
  const slices = slicesByFamily(shards);
  return allFamilies.every((family) => slices.get(family) === allSlices);
};

test('two shards exclude each other by their locks if and only if they have rows in common', () => {
  for (const one of everyShard)
    for (const other of everyShard) {
      const isShared = sliceNames(one).some((name) => sliceNames(other).includes(name));
      const isExcluded = locksOf(one).some((lock) =>
        locksOf(other).some(
          ({ number, isExclusive }) => number === lock.number && (isExclusive || lock.isExclusive),
        ),
      );
      expect([one, other, isExcluded]).toEqual([one, other, isShared]);
    }
});

test('four shards have the ids of the locks of a release without the setting', () => {
  expect(shardsOf(4)).toEqual([0, 1, 2, 3]);
  for (const family of shardsOf(4)) {
    expect(locksOf(family)).toEqual([{ shard: family, number: family, isExclusive: true }]);
    expect([...slicesByFamily([family])]).toEqual([[family, allSlices]]);
  }
});

test('the lowest number of shards of all members is used, four for a member without one', () => {
  const of = (...counts: (number | null)[]) =>
    shareOf(
      1,
      counts.map((count, n) => ({ member: n + 1, count })),
    );
  expect(of(64)).toEqual(shardsOf(64));
  expect(of(64, 16)).toEqual(shardsOf(16).filter((_, n) => n % 2 === 0));
  expect(of(16, 64, null)).toEqual([0, 3]);
});

test('a process that is not among the members has no shards', () => {
  expect(shareOf(1, [])).toEqual([]);
  expect(shareOf(1, [{ member: 2, count: 16 }])).toEqual([]);
});

test.each(['0', '5', '2', '128', '4.0', 'four'])('OUTBOX_SHARDS=%s is rejected', (value) => {
  expect(() => readConfig(outboxSettings, { OUTBOX_SHARDS: value })).toThrow(
    'OUTBOX_SHARDS: expected 4 or 8 or 16 or 32 or 64',
  );
});

test('OUTBOX_SHARDS is 4 by default', () => {
  const shards = (environment: Record<string, string>) =>
    readConfig(outboxSettings, environment).settings.outboxShards;
  expect([shards({}), shards({ OUTBOX_SHARDS: '64' })]).toEqual([4, 64]);
});
