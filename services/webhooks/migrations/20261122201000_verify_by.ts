import { sqlMigration } from '@pto/database';

/**
 * The deadline for the verification of a changed URL: until then events are queued for the endpoint.
 * Replicas of the release before do not read it and queue nothing for an endpoint that is not
 * ENABLED.
 */
export const verifyBy = sqlMigration('20261122201000_verify_by', [
  // set while a URL of an endpoint that was ENABLED is not verified
  'alter table endpoints add column verify_by timestamptz',
  'create index endpoints_to_verify on endpoints (verify_by) where verify_by is not null',
]);
