import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from '@bufbuild/protobuf';
import type { ChainEntry } from '@pto/custody-verifier';
import { type Placeholders, type Sql, statement } from '@pto/database';
import { type Entry, EntrySchema } from '@pto/proto/custody/v1/custody';
import { type Rows, tables } from '../schema/ledger-database.ts';

export const entryColumns = [
  'order_id',
  'sequence',
  'id',
  'type',
  'internal_type',
  'ts_utc',
  'gps_lat',
  'gps_lng',
  'payload',
  'prev_event_hash',
  'event_hash',
  'canonical_text',
] as const;

export type EntryRow = Readonly<Pick<Rows['entries'], (typeof entryColumns)[number]>>;

/** Converts a row to the entry that partners see and that is hashed (contract 2.4). */
export const toChainEntry = (row: EntryRow): ChainEntry => ({
  id: row.id,
  type: row.type,
  internal_type: row.internal_type,
  ts_utc: row.ts_utc,
  gps_lat: row.gps_lat,
  gps_lng: row.gps_lng,
  payload: row.payload === null ? null : JSON.parse(row.payload),
  prev_event_hash: row.prev_event_hash,
  event_hash: row.event_hash,
});

export const toEntry = (row: EntryRow): Entry =>
  create(EntrySchema, {
    id: row.id,
    type: row.type,
    internalType: row.internal_type,
    tsUtc: row.ts_utc,
    ...(row.gps_lat !== null && { gpsLat: row.gps_lat }),
    ...(row.gps_lng !== null && { gpsLng: row.gps_lng }),
    payloadJson: row.payload ?? '',
    prevEventHash: row.prev_event_hash,
    eventHash: row.event_hash,
    sequence: row.sequence,
  });

const selectEntries = statement((given: Placeholders<{ orderId: string }>) =>
  tables
    .selectFrom('entries')
    .select(entryColumns)
    .where('order_id', '=', given.orderId)
    .orderBy('sequence'),
);

export const readEntries = (sql: Sql, orderId: string): Promise<EntryRow[]> =>
  selectEntries(sql, { orderId });

/** The sequence number and hash of a chain's last entry. */
export interface Head {
  readonly sequence: number;
  readonly hash: string;
}

/** The head of a chain, and the organization of its order. */
export interface Chain extends Head {
  readonly organizationId: string;
}

const selectChains = statement((given: Placeholders<{ orderIds: readonly string[] }>) =>
  tables
    .selectFrom('chains')
    .select(['order_id', 'organization_id', 'sequence', 'head_hash'])
    .where(({ eb, fn }) => eb('order_id', '=', fn.any(given.orderIds))),
);

/** Returns the existing chains of these orders, by order id. */
export const readChains = async (
  sql: Sql,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Chain>> => {
  const rows = await selectChains(sql, { orderIds });
  return new Map(
    rows.map(({ order_id, organization_id: organizationId, sequence, head_hash: hash }) => [
      order_id,
      { organizationId, sequence, hash },
    ]),
  );
};

/** Maximum time that a reader waits for an entry that orders has announced (decision 32). */
const waitMaxMs = 2000;
/** Interval in ms at which the chains that readers wait for are read. */
const pollMs = 25;

/**
 * Returns a chain as soon as it contains the entry `sequence`. After 2 s, or if `signal` aborts,
 * resolves with the chain as it was at the call; null if there was no chain. Rejects if the chain
 * cannot be read.
 */
export type WaitForEntry = (
  orderId: string,
  sequence: number,
  signal: AbortSignal,
) => Promise<Chain | null>;

/**
 * Returns the function by which readers of this process wait for entries. All of them share one
 * statement, which reads all awaited chains every `pollMs`.
 * @param waitersMax maximum number of waiting readers; a further reader gets the chain without a
 *   wait.
 */
export const createChainWaiters = (sql: Sql, { waitersMax = 1000 } = {}): WaitForEntry => {
  /** A symbol for each waiting reader, and the order that it waits for. */
  const waiting = new Map<symbol, string>();
  let nextRead: Promise<ReadonlyMap<string, Chain>> | null = null;

  const readAwaited = () => {
    nextRead ??= sleep(pollMs, undefined, { ref: false }).then(() => {
      nextRead = null;
      if (waiting.size === 0) return new Map();
      return readChains(sql, [...new Set(waiting.values())]);
    });
    return nextRead;
  };

  return async (orderId, sequence, signal) => {
    const isEnough = (chain?: Chain) => (chain?.sequence ?? 0) >= sequence;
    const now = (await readChains(sql, [orderId])).get(orderId);
    if (isEnough(now) || signal.aborted || waiting.size >= waitersMax) return now ?? null;
    const ended = AbortSignal.any([signal, AbortSignal.timeout(waitMaxMs)]);
    const reader = Symbol();
    waiting.set(reader, orderId);
    try {
      for (const end = once(ended, 'abort').then(() => null); ; ) {
        const chains = await Promise.race([readAwaited(), end]);
        if (chains === null) return now ?? null;
        const chain = chains.get(orderId);
        if (chain && isEnough(chain)) return chain;
      }
    } finally {
      waiting.delete(reader);
    }
  };
};
