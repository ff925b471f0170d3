import { sqlMigration } from '@pto/database';

/** Finds actions by what they created, and those that are no reads among many reads. */
export const auditFilters = sqlMigration('20261128120000_audit_filters', [
  // the id of what the action created; null: nothing
  'alter table operator_outcomes add column created_id text',
  `create index operator_outcomes_created on operator_outcomes (created_id, action_id)
    where created_id is not null`,
  // the first page of a read has a fold_key, a command never
  'create index operator_actions_of_commands on operator_actions (id) where fold_key is null',
]);
