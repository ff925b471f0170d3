import { sqlMigration } from '@pto/database';

/**
 * Values of personal fields of custody entries (decision 70). No other table, message or log has
 * them, apart from the driver of an order. Rows are erased, never changed.
 */
export const disclosures = sqlMigration('20261127060000_disclosures', [
  `create table disclosures (
    order_id uuid not null,
    -- the number of the event and of its custody entry
    sequence int not null check (sequence > 0),
    field text not null,
    -- RFC 8785 text
    value text not null,
    -- 32 random bytes in hexadecimal digits
    salt text not null check (salt ~ '^[0-9a-f]{64}$'),
    primary key (order_id, sequence, field)
  )`,
  `create function reject_other_value() returns trigger language plpgsql as $$
    begin
      raise exception 'disclosed values are erased, never changed' using errcode = '42501';
    end $$`,
  `create trigger disclosures_are_never_changed before update on disclosures
    for each statement execute function reject_other_value()`,
]);
