import { sqlMigration } from '@pto/database';

/**
 * One append-only Merkle log over all entries (RFC 6962 hashing, C2SP tiles). An entry's
 * transaction queues the entry, and the sequencer assigns its position in the log. Leaves and
 * checkpoints are only added, and tiles only grow: grants enforce that for the service's role,
 * triggers for the owner.
 */
export const log = sqlMigration('20261121220000_log', [
  `create table log_queue (
    id bigint generated always as identity primary key,
    order_id uuid not null,
    sequence int not null,
    event_hash text not null
  )`,
  // the process that has locked this row is the sequencer
  `create table log_state (
    one boolean primary key default true check (one),
    size bigint not null,
    -- why nothing is appended or signed any more
    halted text
  )`,
  'insert into log_state (size) values (0)',
  `create table log_leaves (
    leaf_index bigint primary key,
    order_id uuid not null,
    sequence int not null,
    event_hash text not null,
    unique (order_id, sequence)
  )`,
  `create table log_tiles (
    level int not null,
    tile_index bigint not null,
    -- up to 256 hashes of 32 bytes, one behind the other
    hashes bytea not null,
    primary key (level, tile_index)
  )`,
  `create table log_checkpoints (
    size bigint primary key,
    root bytea not null,
    -- the signed note
    note text not null,
    signed_at timestamptz not null default clock_timestamp()
  )`,
  `create table log_keys (
    vkey text primary key,
    valid_from timestamptz not null default clock_timestamp(),
    valid_until timestamptz
  )`,
  `create function tiles_only_grow() returns trigger language plpgsql as $$
    begin
      if substr(new.hashes, 1, octet_length(old.hashes)) is distinct from old.hashes
        or (new.level, new.tile_index) is distinct from (old.level, old.tile_index) then
        raise exception 'what a tile holds is never changed' using errcode = '42501';
      end if;
      return new;
    end $$`,
  `create trigger tiles_only_grow before update on log_tiles
    for each row execute function tiles_only_grow()`,
  `create trigger tiles_are_kept before delete or truncate on log_tiles
    for each statement execute function refuse_rewriting()`,
  ...['log_leaves', 'log_checkpoints'].map(
    (table) => `create trigger ${table}_are_append_only
      before update or delete or truncate on ${table}
      for each statement execute function refuse_rewriting()`,
  ),
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'log_leaves' and g.grantee <> current_user
      loop
        execute format('revoke update, delete, truncate on log_leaves, log_checkpoints from %I', grantee);
        execute format('revoke delete, truncate on log_tiles, log_state, log_keys from %I', grantee);
      end loop;
    end $$`,
  'revoke execute on function rotate_daily_partitions(text, int, int) from public',
  // entries that are older than the log come first, in the order in which they were appended
  `insert into log_queue (order_id, sequence, event_hash)
   select order_id, sequence, event_hash from entries order by appended_at, order_id, sequence`,
]);
