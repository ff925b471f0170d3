import { create } from '@bufbuild/protobuf';
import type { ChainEntry } from '@pto/custody-verifier';
import { type Given, type Sql, statement } from '@pto/database';
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

const selectEntries = statement((given: Given<{ orderId: string }>) =>
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

const selectChains = statement((given: Given<{ orderIds: readonly string[] }>) =>
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
