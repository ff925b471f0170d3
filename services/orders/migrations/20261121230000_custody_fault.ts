import { sqlMigration } from '@pto/database';

/** Stores the violation that the auditor found in an order's chain, for operators. */
export const custodyFault = sqlMigration('20261121230000_custody_fault', [
  'alter table orders add custody_fault text',
]);
