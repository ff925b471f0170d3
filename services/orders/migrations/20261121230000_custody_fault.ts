import { sqlMigration } from '@pto/database';

/** What the auditor found wrong with an order's chain, for the operator to see. */
export const custodyFault = sqlMigration('20261121230000_custody_fault', [
  'alter table orders add custody_fault text',
]);
