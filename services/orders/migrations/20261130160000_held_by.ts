import { shortMigration } from '@pto/database';

/** The party that received the goods last; null: no handover is recorded, or custody has ended. */
export const heldBy = shortMigration('20261130160000_held_by', [
  'alter table orders add column held_by text',
]);
