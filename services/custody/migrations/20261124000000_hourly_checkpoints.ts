import { sqlMigration } from '@pto/database';

/** The checkpoints that the anchor must contain are few among millions (required-checkpoints.ts). */
export const hourlyCheckpoints = sqlMigration('20261124000000_hourly_checkpoints', [
  'create index log_checkpoints_hourly on log_checkpoints (size) where hourly',
]);
