import { sqlMigration } from '@pto/database';

/** The last audit of each kind that the auditor has completed (decision 53), for operators. */
export const ledgerAudits = sqlMigration('20261127130000_ledger_audits', [
  `create table ledger_audits (
    kind text primary key check (kind in ('new_entries', 'full')),
    -- before the first audit, the time of the migration, so that a missing auditor is noticed
    completed_at timestamptz not null default clock_timestamp(),
    -- violations that the audit found; null before the first
    violations int check (violations >= 0)
  )`,
  `insert into ledger_audits (kind) values ('new_entries'), ('full')`,
]);
