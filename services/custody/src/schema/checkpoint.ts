import { defineEntity, p } from '@mikro-orm/core';

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
