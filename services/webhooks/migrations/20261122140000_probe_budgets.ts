import { sqlMigration } from '@pto/database';

/** The table of the spent budgets for handshakes and test requests. */
export const probeBudgets = sqlMigration('20261122140000_probe_budgets', [
  `create table probe_budgets (
    -- "organization:<id>" or "host:<name>"
    subject text primary key,
    -- when all of the budget is available again
    full_at timestamptz not null
  )`,
]);
