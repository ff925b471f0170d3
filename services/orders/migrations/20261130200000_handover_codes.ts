import { shortMigration } from '@pto/database';

/** By side: the round of the ward's code, and the wrong codes of the round. No code is stored. */
export const handoverCodes = shortMigration('20261130200000_handover_codes', [
  'alter table orders add column handover_codes text',
]);
