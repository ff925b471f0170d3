import { sqlMigration } from '@pto/database';

/** The indexes that a claim reads: the organizations of due runs, and the due runs of each. */
export const turns = sqlMigration('20261129150000_turns', [
  'drop index runs_due',
  'create index runs_due on runs (due_at, organization_id) where due_at is not null',
  'create index runs_turns on runs (organization_id, due_at) where due_at is not null',
]);
