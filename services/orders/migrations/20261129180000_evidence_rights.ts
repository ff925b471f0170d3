import { sqlMigration } from '@pto/database';

/** Columns of a violation that change after it was found. */
const changed = [
  ...['last_found_at', 'notified_at', 'resolved_at'],
  ...['acknowledged_at', 'acknowledged_by', 'acknowledgment'],
];

/**
 * What the ledger is judged by stays, whatever the service's role does: violations keep what was
 * found and when, an audit of each kind is known, and so are the heads of orders that left the cell.
 */
export const evidenceRights = sqlMigration('20261129180000_evidence_rights', [
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'integrity_violations' and g.privilege_type = 'UPDATE'
          and g.grantee <> current_user
      loop
        execute format('revoke update, delete, truncate on integrity_violations from %I', grantee);
        execute format('grant update (${changed.join(', ')}) on integrity_violations to %I', grantee);
        execute format('revoke insert, delete, truncate on ledger_audits from %I', grantee);
        execute format('revoke delete, truncate on moved_orders from %I', grantee);
      end loop;
    end $$`,
]);
