import { sqlMigration } from '@pto/database';

/** When a disabled endpoint was enabled again, and the endpoints that may become BROKEN by failures. */
export const resumedEndpoints = sqlMigration('20261129020000_resumed_endpoints', [
  'alter table endpoints add column resumed_at timestamptz',
  'create index endpoints_failing on endpoints (failing_since) where failing_since is not null',
]);
