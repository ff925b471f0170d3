import { sqlMigration } from '@pto/database';

/** The operators whose commands made custody entries, for operators alone: no event names them. */
export const entryOperators = sqlMigration('20261127160000_entry_operators', [
  `create table entry_operators (
    order_id uuid not null,
    sequence int not null,
    operator text not null,
    primary key (order_id, sequence)
  )`,
]);
