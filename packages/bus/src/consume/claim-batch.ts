import type { Transaction } from '@pto/database';
import type { IncomingMessage } from '../bus.ts';
import type { Source } from './consumer-tables.ts';
import { blockedKeys, firstParked, park } from './dead-letters/park.ts';
import type { Handlers } from './effect.ts';
import { claim } from './inbox.ts';
import type { StoredPositions } from './positions.ts';

/** What a transaction does with the messages of a batch. */
interface Claimed {
  /** Messages that must have their effect in this transaction. */
  readonly fresh: readonly IncomingMessage[];
  /** Number of messages that were parked behind an earlier message with their key. */
  readonly parked: number;
}

/** A message's key has parked messages. */
export class KeyBlocked extends Error {}

interface ClaimOptions {
  readonly source: Source;
  readonly guard: Handlers['guard'];
  readonly positions: StoredPositions | undefined;
}

/**
 * Claims all messages of a batch. The statements that tell whether it may are sent in one message
 * with the claim.
 * @throws KeyBlocked if an earlier message with one of the keys is parked; then the transaction
 *   must be rolled back, and `claimOrPark` called in another one. Errors of `requireKnown` and
 *   `guard`.
 */
export const claimAll = async (
  { source, guard, positions }: ClaimOptions,
  tx: Transaction,
  messages: readonly IncomingMessage[],
): Promise<Claimed> => {
  const requireFree = async () => {
    const parked = await firstParked(tx.withNext, source, keysOf(messages));
    if (parked.size > 0) throw new KeyBlocked('an earlier message with the same key is parked');
  };
  const checks = [positions?.requireKnown(tx, messages), guard?.(tx.withNext), requireFree()];
  const [fresh] = await Promise.all([claim(tx, source.group, messages), ...checks]);
  return { fresh, parked: 0 };
};

/** Claims the messages of a batch, or parks them behind an earlier message with their key. */
export const claimOrPark = async (
  { source, guard, positions }: ClaimOptions,
  tx: Transaction,
  messages: readonly IncomingMessage[],
): Promise<Claimed> => {
  await positions?.requireKnown(tx, messages);
  await guard?.(tx);
  const blocked = await blockedKeys(tx, source, keysOf(messages));
  const fresh = await claim(
    tx,
    source.group,
    messages.filter(({ key }) => !blocked.has(key)),
  );
  const behind = messages.filter(({ key }) => blocked.has(key));
  const parked = await park(tx, source, behind, ({ key }) => `behind ${blocked.get(key)}`);
  return { fresh, parked: parked.length };
};

const keysOf = (messages: readonly IncomingMessage[]) => messages.map(({ key }) => key);
