import { sqlMigration } from '@pto/database';

/** The cell whose services have an organization's orders, ledger and endpoints. */
export const cells = sqlMigration('20261128140000_cells', [
  "alter table organizations add column cell text not null default 'main'",
]);
