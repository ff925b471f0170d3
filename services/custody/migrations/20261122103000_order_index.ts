import { sqlMigration } from '@pto/database';

/**
 * The signed index from an order to its number of entries and the hash of its head (decision 52).
 * The index can be computed again from log_leaves, so the signed roots reveal any change of these
 * tables.
 */
export const orderIndex = sqlMigration('20261122103000_order_index', [
  `create table order_index_tiles (
    -- the hexadecimal digits that the keys in the tile begin with; empty for the root's tile
    prefix text collate "C" not null,
    -- how many leaves of the log the version covers
    size bigint not null,
    tile bytea not null,
    primary key (prefix, size)
  )`,
  `create table order_index_versions (
    size bigint primary key,
    root bytea not null,
    -- the tiles that this version wrote; empty once the tiles they replaced are deleted
    prefixes text[] not null,
    written_at timestamptz not null default clock_timestamp()
  )`,
  // without compression, which would take longer than writing: the array is deleted after a day
  'alter table order_index_versions alter column prefixes set storage external',
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'order_index_tiles' and g.grantee <> current_user
      loop
        execute format('revoke update, truncate on order_index_tiles from %I', grantee);
        execute format('revoke truncate on order_index_versions from %I', grantee);
      end loop;
    end $$`,
]);
