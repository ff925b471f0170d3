import { consumerTables } from '@pto/bus';
import { boundedRotation, dailyPartitions, sqlMigration } from '@pto/database';
import { outboxTable } from '@pto/outbox';

const locations = [
  `create table locations (
    id uuid primary key,
    organization_id uuid not null,
    label text not null,
    street text not null,
    zip text not null,
    city text not null,
    country text not null,
    -- SHA-256 of the normalized address (decision 12)
    address_key bytea not null,
    notes text,
    contact_name text,
    contact_phone text,
    lat double precision,
    lng double precision,
    created_via_api boolean not null,
    created_at timestamptz not null default now(),
    unique (organization_id, address_key)
  )`,
  'create index locations_of_organization on locations (organization_id, id)',
];

/**
 * `items` is a JSON array in the form that partners see. As thousands of rows with a foreign key,
 * the items of one large order cost as much as hundreds of usual orders.
 *
 * A list by `updated_since` needs the orders created since, in the order of the list's own index,
 * and the orders created before and changed since: the spans of these contain that moment, so the
 * index `orders_alive_at` finds exactly these.
 */
const orders = [
  'create extension if not exists btree_gist',
  `create table orders (
    id uuid primary key,
    organization_id uuid not null,
    external_id text,
    status text not null,
    sla text not null,
    source text not null,
    pickup_location_id uuid not null references locations,
    dropoff_location_id uuid not null references locations,
    dropoff_address_text text,
    pickup_window_start timestamptz not null,
    pickup_window_end timestamptz,
    notes text,
    pickup_detail text,
    dropoff_detail text,
    -- no compression: for hundreds of kilobytes it takes longer than the write
    items json storage external not null,
    item_count int not null,
    price_total numeric(12, 2),
    cancel_reason text,
    transport_organization text,
    driver text,
    -- the number and time of the order's last event
    sequence int not null default 0,
    last_event_at text,
    blocking_type text,
    blocking_at text,
    -- the ledger's head as custody reported it (decision 32)
    custody_sequence int not null default 0,
    custody_head_hash text not null default '',
    -- the reason of an open integrity violation, for operators
    custody_fault text,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, external_id),
    constraint orders_changed_after_made check (updated_at >= created_at)
  )`,
  'create index orders_newest on orders (organization_id, created_at desc, id desc)',
  'create index orders_by_status on orders (organization_id, status, created_at desc, id desc)',
  `create index orders_alive_at on orders
     using gist (organization_id, tstzrange(created_at, updated_at, '[]'), status)`,
];

/**
 * Gives every change a time after the moments that polls by `updated_since` have returned, even if
 * the database's clock was set back (a failover to a server whose clock is behind).
 */
const pollMoments = [
  `create table poll_moments (
    organization_id uuid primary key,
    at timestamptz not null
  ) with (fillfactor = 50)`,
  // a function for the clock, so that a test can set it back
  `create function order_clock() returns timestamptz language sql volatile
   as 'select clock_timestamp()'`,
  // plpgsql: each query of a volatile function sees all commits before its own start, even if the
  // calling statement has waited for a poll's lock
  `create function change_moment(organization uuid) returns timestamptz language plpgsql volatile
   as $$
   begin
     return greatest(order_clock(),
       (select at from poll_moments where organization_id = organization));
   end $$`,
];

/**
 * Stored responses, in one partition per day: expiry drops the partition and deletes no single rows
 * (decision 24). One key may have an expired row and a valid row in two partitions. Each claim
 * takes a lock first, so there is at most one valid row.
 */
const idempotency = [
  `create table idempotency (
    -- UUIDv7: the moment of the claim, from which its age is counted
    id uuid not null,
    organization_id uuid not null,
    route text not null,
    key text not null,
    body_sha256 bytea not null,
    -- the first response's body, byte for byte
    answer bytea storage external not null,
    primary key (organization_id, route, key, id)
  ) partition by range (id)`,
];

/**
 * `produced_events`: the digest of each event that orders produced, as evidence for the auditor
 * (decision 55). Append-only: for the service's role by grants, for the owner by a trigger.
 *
 * `unreported_events`: a queue of events that custody has not reported back; the report removes the
 * row. It costs one insert and one delete per event. A partial index on orders would need no queue,
 * but each report would change a column of its condition. Such an update is not heap-only, so each
 * report would write all indexes of the order.
 */
const producedEvents = [
  `create table produced_events (
    order_id uuid not null,
    sequence int not null check (sequence > 0),
    -- contentDigest of the package custody-verifier
    digest bytea not null check (octet_length(digest) = 32),
    produced_at timestamptz not null default clock_timestamp(),
    primary key (order_id, sequence)
  )`,
  `create function reject_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'the digests of produced events are never changed or removed'
        using errcode = '42501';
    end $$`,
  `create trigger produced_events_are_append_only
    before update or delete or truncate on produced_events
    for each statement execute function reject_rewriting()`,
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'produced_events' and g.grantee <> current_user
      loop
        execute format('revoke update, delete, truncate on produced_events from %I', grantee);
      end loop;
    end $$`,
  `create table unreported_events (
    order_id uuid not null,
    sequence int not null,
    produced_at timestamptz not null default clock_timestamp(),
    primary key (order_id, sequence)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
  'create index unreported_events_oldest on unreported_events (produced_at, order_id, sequence)',
];

/**
 * Integrity violations that the auditor found in the ledger (decisions 53 and 54), outside of the
 * ledger's own database.
 */
const integrityViolations = [
  `create table integrity_violations (
    id uuid primary key,
    -- null for a violation of the log
    order_id uuid,
    entry_id text not null,
    reason text not null,
    found_at timestamptz not null default clock_timestamp(),
    last_found_at timestamptz not null default clock_timestamp(),
    -- when people were notified: by a log line and a mail
    notified_at timestamptz,
    -- when a later complete check did not show it
    resolved_at timestamptz,
    acknowledged_at timestamptz,
    acknowledged_by text,
    acknowledgment text,
    check ((acknowledged_at is null) = (acknowledged_by is null)),
    check ((acknowledged_at is null) = (acknowledgment is null))
  )`,
  // an unresolved violation is stored once
  `create unique index integrity_violations_unresolved on integrity_violations
    (order_id, entry_id, md5(reason)) nulls not distinct where resolved_at is null`,
  'create index integrity_violations_of_order on integrity_violations (order_id, id)',
];

/** The database of release 1.1.0. */
export const baseline = sqlMigration('20261126060000_orders', [
  ...locations,
  ...orders,
  ...pollMoments,
  ...idempotency,
  ...producedEvents,
  ...integrityViolations,
  ...outboxTable,
  ...consumerTables,
  ...dailyPartitions({ outbox: 'sent_at is null', inbox: 'false', idempotency: 'false' }),
  // an event id stays in the inbox as long as Kafka can deliver the event
  // (packages/bus/src/inbox-age.ts)
  ...boundedRotation({ outbox: 7, inbox: 16, idempotency: 1 }),
]);
