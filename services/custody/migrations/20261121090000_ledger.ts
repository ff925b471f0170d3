import { deadLetterTable, inboxTables } from '@pto/bus';
import { dailyPartitions, sqlMigration } from '@pto/database';
import { outboxTable } from '@pto/outbox';

export const ledger = sqlMigration('20261121090000_ledger', [
  `create table chains (
    order_id uuid primary key,
    organization_id uuid not null,
    sequence int not null,
    head_hash text not null
  )`,
  `create table entries (
    order_id uuid not null references chains,
    sequence int not null check (sequence > 0),
    id uuid not null unique,
    type text not null,
    internal_type text not null,
    -- to the letter as it was hashed
    ts_utc text not null,
    gps_lat double precision,
    gps_lng double precision,
    -- RFC 8785 text; jsonb would re-spell numbers
    payload text,
    prev_event_hash text not null,
    event_hash text not null,
    canonical_text text not null,
    appended_at timestamptz not null default clock_timestamp(),
    primary key (order_id, sequence),
    -- a fork is impossible: two entries cannot follow the same one
    unique (order_id, prev_event_hash)
  )`,
  `create function refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'custody entries are never changed or removed' using errcode = '42501';
    end $$`,
  `create trigger entries_are_append_only before update or delete or truncate on entries
    for each statement execute function refuse_rewriting()`,
  // the service's role may read and insert, and nothing else
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'entries' and g.grantee <> current_user
      loop
        execute format('revoke update, delete, truncate on entries from %I', grantee);
        execute format('revoke delete, truncate on chains from %I', grantee);
      end loop;
    end $$`,
  ...outboxTable,
  ...inboxTables,
  ...deadLetterTable,
  ...dailyPartitions({ outbox: 'sent_at is null', inbox: 'false' }),
]);
