import { defineEntity, p } from '@mikro-orm/core';

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
  indexes: [
    {
      name: 'log_queue_order',
      // only an expression can say that it is a hash index
      expression: 'create index log_queue_order on log_queue using hash (order_id)',
    },
  ],
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

/** A leaf of the log. */
export const LogLeafEntity = defineEntity({
  name: 'LogLeaf',
  tableName: 'log_leaves',
  properties: {
    leafIndex: p.bigint('string').primary().autoincrement(false),
    orderId: p.uuid(),
    sequence: p.integer(),
    eventHash: p.text(),
  },
  uniques: [{ name: 'log_leaves_order_id_sequence_key', properties: ['orderId', 'sequence'] }],
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
  indexes: [
    { name: 'log_checkpoints_by_time', properties: ['signedAt'] },
    {
      name: 'log_checkpoints_hourly',
      expression: 'create index log_checkpoints_hourly on log_checkpoints (size) where hourly',
    },
  ],
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
