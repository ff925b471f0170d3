import { sqlMigration } from '@pto/database';

/**
 * Stores integrity violations that the auditor found in the ledger (decisions 53 and 54), outside
 * of the ledger's own database. `orders.custody_fault` stays as the flag of an order with an open
 * violation.
 */
export const integrityViolations = sqlMigration('20261122110000_integrity_violations', [
  `create table integrity_violations (
    id uuid primary key,
    -- null for a violation of the log
    order_id uuid,
    entry_id text not null,
    reason text not null,
    found_at timestamptz not null default clock_timestamp(),
    last_found_at timestamptz not null default clock_timestamp(),
    -- when people were notified: by a log line and a mail
    notified_at timestamptz,
    -- when a later complete check did not show it
    resolved_at timestamptz,
    acknowledged_at timestamptz,
    acknowledged_by text,
    acknowledgment text,
    check ((acknowledged_at is null) = (acknowledged_by is null)),
    check ((acknowledged_at is null) = (acknowledgment is null))
  )`,
  // an unresolved violation is stored once
  `create unique index integrity_violations_unresolved on integrity_violations
    (order_id, entry_id, md5(reason)) nulls not distinct where resolved_at is null`,
  'create index integrity_violations_of_order on integrity_violations (order_id, id)',
  `insert into integrity_violations (id, order_id, entry_id, reason, notified_at)
   select gen_random_uuid(), id, '', custody_fault, now() from orders where custody_fault is not null`,
]);
