import { sqlMigration } from '@pto/database';

/**
 * The log's state records how far its checkpoints are anchored, so that no replica signs while the
 * last signed checkpoint is not. `hourly` marks the first checkpoint of an hour: the anchor stores
 * these for years and the others for days. All checkpoints of before were stored for years.
 */
export const anchoredCheckpoints = sqlMigration('20261122100000_anchored_checkpoints', [
  `alter table log_state
     add anchored_size bigint not null default 0,
     -- the newest checkpoint that the anchor stores for years
     add anchored_hourly_size bigint not null default 0`,
  'alter table log_checkpoints add hourly boolean not null default true',
  'create index log_checkpoints_by_time on log_checkpoints (signed_at)',
]);
