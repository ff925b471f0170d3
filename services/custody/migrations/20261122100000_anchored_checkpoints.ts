import { sqlMigration } from '@pto/database';

/**
 * Records in the log's state up to which checkpoint the log is anchored, so that no replica signs
 * while the last signed checkpoint is not anchored. `hourly` marks the first checkpoint of an hour:
 * the anchor stores these for years and the others for days. All earlier checkpoints are stored for
 * years.
 */
export const anchoredCheckpoints = sqlMigration('20261122100000_anchored_checkpoints', [
  `alter table log_state
     add anchored_size bigint not null default 0,
     -- the newest checkpoint that the anchor stores for years
     add anchored_hourly_size bigint not null default 0`,
  'alter table log_checkpoints add hourly boolean not null default true',
  'create index log_checkpoints_by_time on log_checkpoints (signed_at)',
]);
