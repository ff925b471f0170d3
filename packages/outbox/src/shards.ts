/**
 * Number of families. The column `shard` of a row is its family, the hash of the key modulo this
 * number. Must not be changed while rows are unsent.
 */
export const families = 4;

export const allFamilies: readonly number[] = Array.from({ length: families }, (_, n) => n);

/** The numbers of shards into which the relays of a service can divide its outbox. */
export const shardCounts = [4, 8, 16, 32, 64] as const;

/** Number of slices of a family: the shards into which it is divided at most. */
export const slices = shardCounts.at(-1)! / families;

/** The set of all slices of a family. Bit n is slice n. */
export const allSlices = 2 ** slices - 1;

/*
 * A shard is a part of one family. Shard s of N has the family s modulo 4 and each slice whose
 * number is floor(s / 4) modulo N / 4. So a shard of N contains two shards of 2 N. The id of a shard
 * is unique among all N: s for N = 4, N + s for a greater N. The ids are the numbers of locks, and a
 * release without `OUTBOX_SHARDS` locks 0 to 3.
 */

/** Returns the ids of the shards of a division, in the order of their numbers. */
export const shardsOf = (count: number): number[] =>
  Array.from({ length: count }, (_, n) => (count === families ? n : count + n));

/** Returns the number of shards of the division that a shard belongs to. */
const countOf = (shard: number): number =>
  shard < families ? families : 2 ** Math.floor(Math.log2(shard));

/** Returns the family of a shard. */
export const familyOf = (shard: number): number => shard % families;

/** Returns the shards that contain a shard, the smallest first. */
export const ancestorsOf = (shard: number): number[] => {
  const count = countOf(shard);
  if (count === families) return [];
  const half = count / 2;
  const parent = half === families ? shard % half : half + (shard % half);
  return [parent, ...ancestorsOf(parent)];
};

/** Returns the set of the slices of a shard. */
const slicesOf = (shard: number): number => {
  const every = countOf(shard) / families;
  const first = Math.floor((shard % countOf(shard)) / families);
  let set = 0;
  for (let slice = first; slice < slices; slice += every) set |= 1 << slice;
  return set;
};

/** Returns the slices of shards, a set for each family. */
export const slicesByFamily = (shards: readonly number[]): ReadonlyMap<number, number> => {
  const sets = new Map<number, number>();
  for (const shard of shards)
    sets.set(familyOf(shard), (sets.get(familyOf(shard)) ?? 0) | slicesOf(shard));
  return sets;
};
