import type { Declaration } from '@pto/config';
import { families, shardCounts } from './shards.ts';

const shards: Declaration<number> = {
  name: 'OUTBOX_SHARDS',
  parse: (text) => {
    const count = shardCounts.find((one) => `${one}` === text);
    if (count === undefined) throw new Error(`expected ${shardCounts.join(' or ')}`);
    return count;
  },
  fallback: families,
};

/** Settings of every process with a relay. */
export const outboxSettings = {
  /**
   * Number of shards of the outbox: the number of replicas that can relay at the same time. All
   * relays of a database use the lowest number among them, so it can be changed by a rolling
   * restart.
   */
  outboxShards: shards,
};
