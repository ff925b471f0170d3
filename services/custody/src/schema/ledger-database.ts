import { defineEntity, p } from '@mikro-orm/core';
import { consumerEntities } from '@pto/bus';
import { type RowsOf, tablesOf } from '@pto/database';
import { HeldOrganizationEntity } from '@pto/moves';
import { OutboxEntity, TopicPartitionsEntity } from '@pto/outbox';

export const ChainEntity = defineEntity({
  name: 'Chain',
  tableName: 'chains',
  properties: {
    orderId: p.uuid().primary(),
    organizationId: p.uuid(),
    sequence: p.integer(),
    headHash: p.text(),
  },
});

/**
 * An entry of an order's chain. `canonical_text` is the text whose hash is `event_hash`. `ts_utc`
 * and `payload` (JSON) are stored as text, as orders sent them. The last three columns describe the
 * order directly after the event; no hash covers them, and an event may lack them.
 */
export const EntryEntity = defineEntity({
  name: 'Entry',
  tableName: 'entries',
  properties: {
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    id: p.uuid(),
    type: p.text(),
    internalType: p.text(),
    tsUtc: p.text(),
    gpsLat: p.double().$type<number>().nullable(),
    gpsLng: p.double().$type<number>().nullable(),
    payload: p.text().nullable(),
    prevEventHash: p.text(),
    eventHash: p.text(),
    canonicalText: p.text(),
    appendedAt: p.datetime().defaultRaw('clock_timestamp()'),
    externalId: p.text().nullable(),
    orderStatus: p.text().nullable(),
    orderUpdatedAt: p.text().nullable(),
  },
});

/** An entry that waits for its position in the log. */
export const QueuedEntryEntity = defineEntity({
  name: 'QueuedEntry',
  tableName: 'log_queue',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    orderId: p.uuid(),
    sequence: p.integer(),
    eventHash: p.text(),
  },
});

/** The single row of the log's state. `halted` is the reason why nothing is appended or signed. */
export const LogStateEntity = defineEntity({
  name: 'LogState',
  tableName: 'log_state',
  properties: {
    one: p.boolean().primary().default(true),
    size: p.bigint('string'),
    halted: p.text().nullable(),
    anchoredSize: p.bigint('string').defaultRaw('0'),
    anchoredHourlySize: p.bigint('string').defaultRaw('0'),
  },
});

/** A leaf of the log. `number` counts the leaves of its organization from 1 on (decision 68). */
export const LogLeafEntity = defineEntity({
  name: 'LogLeaf',
  tableName: 'log_leaves',
  properties: {
    leafIndex: p.bigint('string').primary().autoincrement(false),
    orderId: p.uuid(),
    sequence: p.integer(),
    eventHash: p.text(),
    organizationId: p.uuid(),
    number: p.bigint('string'),
  },
});

/** The number of the newest leaf of each organization. */
export const FeedHeadEntity = defineEntity({
  name: 'FeedHead',
  tableName: 'feed_heads',
  properties: {
    organizationId: p.uuid().primary(),
    number: p.bigint('string'),
  },
});

/** A tile of the log: up to 256 hashes of 32 bytes. */
export const LogTileEntity = defineEntity({
  name: 'LogTile',
  tableName: 'log_tiles',
  properties: {
    level: p.integer().primary(),
    tileIndex: p.bigint('string').primary(),
    hashes: p.blob(),
  },
});

/** A signed checkpoint. The anchor stores an `hourly` checkpoint for years. */
export const CheckpointEntity = defineEntity({
  name: 'Checkpoint',
  tableName: 'log_checkpoints',
  properties: {
    size: p.bigint('string').primary().autoincrement(false),
    root: p.blob(),
    note: p.text(),
    signedAt: p.datetime().defaultRaw('clock_timestamp()'),
    hourly: p.boolean().default(true),
  },
});

/** The public key (vkey) of a signing key of the log, and the time in which that key may sign. */
export const LogKeyEntity = defineEntity({
  name: 'LogKey',
  tableName: 'log_keys',
  properties: {
    vkey: p.text().primary(),
    validFrom: p.datetime().defaultRaw('clock_timestamp()'),
    validUntil: p.datetime().nullable(),
  },
});

/** A version of a tile of the order index (decision 52). */
export const OrderIndexTileEntity = defineEntity({
  name: 'OrderIndexTile',
  tableName: 'order_index_tiles',
  properties: {
    prefix: p.text().collation('C').primary(),
    size: p.bigint('string').primary(),
    tile: p.blob(),
  },
});

/** A version of the order index, and the prefixes of the tiles that it wrote. */
export const OrderIndexVersionEntity = defineEntity({
  name: 'OrderIndexVersion',
  tableName: 'order_index_versions',
  properties: {
    size: p.bigint('string').primary().autoincrement(false),
    root: p.blob(),
    prefixes: p.array(),
    writtenAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/**
 * The state of one witness: the last size known for it, the largest size that it cosigned, the lease
 * of the replica that submits to it, and the time of the next try.
 */
export const WitnessEntity = defineEntity({
  name: 'Witness',
  tableName: 'log_witnesses',
  properties: {
    vkey: p.text().primary(),
    size: p.bigint('string').defaultRaw('0'),
    cosignedSize: p.bigint('string').defaultRaw('0'),
    lease: p.uuid().nullable(),
    leasedUntil: p.datetime().defaultRaw("'-infinity'"),
    failures: p.integer().default(0),
    dueAt: p.datetime().defaultRaw("'-infinity'"),
  },
});

/** A witness's signature line for the checkpoint of a size. */
export const CosignatureEntity = defineEntity({
  name: 'Cosignature',
  tableName: 'log_cosignatures',
  properties: {
    size: p.bigint('string').primary(),
    vkey: p.text().primary(),
    line: p.text(),
    cosignedAt: p.datetime(),
  },
});

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  ChainEntity,
  EntryEntity,
  QueuedEntryEntity,
  LogStateEntity,
  LogLeafEntity,
  FeedHeadEntity,
  LogTileEntity,
  CheckpointEntity,
  LogKeyEntity,
  WitnessEntity,
  CosignatureEntity,
  OrderIndexTileEntity,
  OrderIndexVersionEntity,
  HeldOrganizationEntity,
  ...consumerEntities,
  OutboxEntity,
  TopicPartitionsEntity,
] as const;

/** Query builder for these tables. `execute` of @pto/database runs its statements. */
export const tables = tablesOf(entities);

/** Row types of these tables. */
export type Rows = RowsOf<typeof tables>;
