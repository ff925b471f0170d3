import { consumerTables } from '@pto/bus';
import { boundedRotation, dailyPartitions, forOtherRoles, sqlMigration } from '@pto/database';
import { heldOrganizationsTable } from '@pto/moves';
import { outboxTable, topicPartitionsTable } from '@pto/outbox';

/**
 * One chain for each order. Entries are append-only: by grants for the service's role, by a trigger
 * for the owner.
 */
const chains = [
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
    -- the order directly after the event, as a webhook carries it, which no hash covers; null if the
    -- event does not have it
    external_id text,
    order_status text,
    order_updated_at text,
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
];

/**
 * One append-only Merkle log over all entries (RFC 6962 hashing, C2SP tiles). An entry's
 * transaction queues the entry, and the sequencer assigns its position in the log. Leaves and
 * checkpoints are only added, and tiles only grow: grants enforce that for the service's role,
 * triggers for the owner.
 */
const log = [
  `create table log_queue (
    id bigint generated always as identity primary key,
    order_id uuid not null,
    sequence int not null,
    event_hash text not null
  )`,
  // Finds an order's queued entries (src/verification/read-chains.ts) however long the queue is. A
  // hash index, because a B-tree costs an append more (docs/performance.md).
  'create index log_queue_order on log_queue using hash (order_id)',
  // the process that has locked this row is the sequencer
  `create table log_state (
    one boolean primary key default true check (one),
    size bigint not null,
    -- why nothing is appended or signed any more
    halted text,
    -- the newest checkpoint that is recorded as anchored: the next one is signed after that
    anchored_size bigint not null default 0,
    -- the newest checkpoint that the anchor stores for years
    anchored_hourly_size bigint not null default 0
  )`,
  'insert into log_state (size) values (0)',
  `create table log_leaves (
    leaf_index bigint primary key,
    order_id uuid not null,
    sequence int not null,
    event_hash text not null,
    organization_id uuid not null,
    -- among the leaves of the organization: 1, 2, 3 … in the log's order, without a gap, for the
    -- event feed (decisions 65 and 68)
    number bigint not null,
    unique (order_id, sequence)
  )`,
  'create unique index log_leaves_by_number on log_leaves (organization_id, number)',
  `create table feed_heads (
    organization_id uuid primary key,
    -- the number of the organization's newest leaf
    number bigint not null
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
    signed_at timestamptz not null default clock_timestamp(),
    -- the first of its hour: the anchor stores these for years and the others for days
    hourly boolean not null default true
  )`,
  'create index log_checkpoints_by_time on log_checkpoints (signed_at)',
  // the checkpoints that the anchor must contain are few among millions (required-checkpoints.ts)
  'create index log_checkpoints_hourly on log_checkpoints (size) where hourly',
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
  // Only the owner clears `halted` (docs/operators/runbooks/LedgerHalted.md), so an attacker with
  // the service's credentials cannot hide a contradiction.
  `create function log_state_only_grows() returns trigger language plpgsql as $$
    begin
      if pg_has_role(current_user, (select relowner from pg_class where oid = tg_relid), 'member')
        then return new;
      end if;
      if old.halted is not null and new.halted is null then
        raise exception 'only the owner of the database clears a halted log' using errcode = '42501';
      end if;
      if new.size < old.size or new.anchored_size < old.anchored_size
        or new.anchored_hourly_size < old.anchored_hourly_size then
        raise exception 'the sizes of the log never decrease' using errcode = '42501';
      end if;
      return new;
    end $$`,
  `create trigger log_state_only_grows before update on log_state
    for each row execute function log_state_only_grows()`,
  // Only the owner sets the signing keys: an attacker with the service's credentials can neither
  // add a key nor make an ended key valid again. The service registers the first keys of a new log.
  `create function register_first_log_keys(vkeys text[]) returns void
   language plpgsql security definer set search_path = public as $$
    begin
      lock table log_keys in share row exclusive mode;
      if not exists (select from log_keys) then
        insert into log_keys (vkey) select unnest(vkeys) on conflict do nothing;
      end if;
    end $$`,
  'revoke execute on function register_first_log_keys(text[]) from public',
];

/**
 * The signed index from an order to its number of entries and the hash of its head (decision 52).
 * The index can be computed again from log_leaves, so the signed roots reveal any change of these
 * tables.
 */
const orderIndex = [
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
];

/**
 * Cosignatures of witnesses on checkpoints (C2SP tlog-cosignature), and how far each witness has
 * cosigned. Cosignatures have their own table, because a note is stored and anchored as the log
 * signed it.
 */
const witnesses = [
  `create table log_witnesses (
    vkey text primary key,
    -- the size of the checkpoint that the witness cosigned last: the next proof starts from it
    size bigint not null default 0,
    -- the largest size of which a cosignature is stored
    cosigned_size bigint not null default 0,
    -- the replica that submits, and until when no other one does
    lease uuid,
    leased_until timestamptz not null default '-infinity',
    -- consecutive failures, and the earliest time of the next submission
    failures int not null default 0,
    due_at timestamptz not null default '-infinity'
  )`,
  `create table log_cosignatures (
    -- of the checkpoint
    size bigint not null,
    vkey text not null,
    -- the signature line of the note, with its newline
    line text not null,
    -- when the witness cosigned, by its own claim
    cosigned_at timestamptz not null,
    primary key (size, vkey)
  )`,
];

/** Moves of organizations between cells. */
const moves = heldOrganizationsTable;

/** Takes back what the service's role may not do, of the privileges that each new table gives it. */
const grants = [
  forOtherRoles(`g.table_name = 'log_state' and g.privilege_type = 'UPDATE'`, [
    'revoke update, delete, truncate on entries, log_leaves, log_checkpoints from %I',
    'revoke delete, truncate on chains, log_tiles, feed_heads from %I',
    'revoke insert, update, delete, truncate on log_state, log_keys from %I',
    'grant update (size, halted, anchored_size, anchored_hourly_size) on log_state to %I',
    'revoke update, truncate on order_index_tiles from %I',
    'revoke truncate on order_index_versions, held_organizations from %I',
  ]),
];

/** The database of release 1.1.0. */
export const baseline = sqlMigration('20261129180000_custody', [
  ...chains,
  ...log,
  ...orderIndex,
  ...witnesses,
  ...moves,
  ...grants,
  ...outboxTable,
  ...topicPartitionsTable,
  ...consumerTables,
  ...dailyPartitions({ outbox: 'sent_at is null', inbox: 'false' }),
  // minimum number of days that the service's role must retain; the inbox remembers events for as
  // long as Kafka can deliver them (packages/bus/src/inbox-age.ts)
  ...boundedRotation({ outbox: 7, inbox: 16 }),
]);
