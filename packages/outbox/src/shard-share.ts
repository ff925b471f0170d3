import { ancestorsOf, families, shardsOf } from './shards.ts';

/** A relay that has joined, and the number of shards that it is set to; or who pauses all relays. */
export interface Member {
  /** Null for who pauses the relays. */
  readonly member: number | null;
  /** Null for a relay of a release without `OUTBOX_SHARDS`, which has 4 shards. */
  readonly count: number | null;
  readonly pauses?: boolean;
}

/**
 * Returns the shards of a member: the lowest number of shards among all members, divided evenly. A
 * higher number takes effect when the last member is set to it. None while the relays pause.
 */
export const shareOf = (member: number, members: readonly Member[]): number[] => {
  if (members.some(({ pauses }) => pauses)) return [];
  const ids = members.flatMap((one) => one.member ?? []).sort((a, b) => a - b);
  const rank = ids.indexOf(member);
  if (rank < 0) return [];
  const count = Math.min(...members.map((one) => one.count ?? families));
  return shardsOf(count).filter((_, n) => n % ids.length === rank);
};

/** A lock of a shard. */
export interface ShardLock {
  readonly shard: number;
  readonly number: number;
  readonly isExclusive: boolean;
}

/**
 * Returns the locks of a shard: the shard's own, exclusive, and shared ones of the shards that
 * contain it. So no two sessions hold shards that have rows in common, even while relays use
 * different numbers of shards.
 */
export const locksOf = (shard: number): ShardLock[] => [
  { shard, number: shard, isExclusive: true },
  ...ancestorsOf(shard).map((number) => ({ shard, number, isExclusive: false })),
];
