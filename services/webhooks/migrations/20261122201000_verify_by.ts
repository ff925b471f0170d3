import { sqlMigration } from '@pto/database';

/**
 * Adds the deadline for the verification of a changed URL; events are queued for the endpoint until
 * then. Replicas of the release before do not read it and queue only for ENABLED endpoints.
 */
export const verifyBy = sqlMigration('20261122201000_verify_by', [
  // set while the changed URL of an endpoint that was ENABLED is not verified
  'alter table endpoints add column verify_by timestamptz',
  'create index endpoints_to_verify on endpoints (verify_by) where verify_by is not null',
]);
