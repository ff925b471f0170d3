import { consumerTables } from '@pto/bus';
import { boundedRotation, dailyPartitions, forOtherRoles, sqlMigration } from '@pto/database';
import { heldOrganizationsTable, moveSettingsTable } from '@pto/moves';
import { outboxTable, topicPartitionsTable } from '@pto/outbox';

/**
 * The organization leads every key, so that the rows of one organization can be found, copied and
 * distributed without the others'.
 */
const locations = [
  `create table locations (
    organization_id uuid not null,
    id uuid not null,
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
    primary key (organization_id, id),
    unique (organization_id, address_key)
  )`,
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
    organization_id uuid not null,
    id uuid not null,
    external_id text,
    status text not null,
    sla text not null,
    source text not null,
    pickup_location_id uuid not null,
    dropoff_location_id uuid not null,
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
    -- JSON objects of methods by stage (decision 71)
    required_evidence text,
    recorded_evidence text,
    -- JSON array; null before the order is sealed
    seal_ids text,
    -- degrees Celsius
    temperature_min numeric(6, 2),
    temperature_max numeric(6, 2),
    cancel_reason text,
    transport_organization text,
    driver text,
    -- whether an incident was reported
    has_incident boolean not null default false,
    -- the end of the order's custody (decision 78)
    delivered_at text,
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
    primary key (organization_id, id),
    unique (organization_id, external_id),
    constraint orders_pickup_location_fkey
      foreign key (organization_id, pickup_location_id) references locations,
    constraint orders_dropoff_location_fkey
      foreign key (organization_id, dropoff_location_id) references locations,
    constraint orders_changed_after_made check (updated_at >= created_at)
  )`,
  'create index orders_newest on orders (organization_id, created_at desc, id desc)',
  'create index orders_by_status on orders (organization_id, status, created_at desc, id desc)',
  `create index orders_alive_at on orders
     using gist (organization_id, tstzrange(created_at, updated_at, '[]'), status)`,
  // operators and the auditor have the id of an order alone
  'create index orders_by_id on orders (id)',
  // operators list and search the open orders of all organizations
  `create index orders_open on orders (id) where status not in ('CLOSED', 'CANCELLED')`,
];

/**
 * Gives every change a time after the moments that polls by `updated_since` have returned, even if
 * the database's clock was set back (a failover to a server whose clock is behind). An organization
 * that a move holds rejects changes.
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
     perform require_not_held(organization);
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
    organization_id uuid not null,
    route text not null,
    key text not null,
    -- UUIDv7: the moment of the claim, from which its age is counted
    id uuid not null,
    body_sha256 bytea not null,
    -- the first response's body, byte for byte
    answer bytea storage external not null,
    primary key (organization_id, route, key, id)
  ) partition by range (id)`,
];

/**
 * Operators' commands. `done_commands`: the ids of commands that took effect, so that a repeated
 * command has no second effect. `entry_operators`: whose commands made custody entries, for operators
 * alone: no event names them.
 */
const commands = [
  `create table done_commands (
    organization_id uuid not null,
    id uuid not null,
    order_id uuid not null,
    request_sha256 bytea not null check (octet_length(request_sha256) = 32),
    -- what the response says besides the order, as JSON; without personal data
    outcome text,
    done_at timestamptz not null default clock_timestamp(),
    primary key (organization_id, id)
  )`,
  'create index done_commands_oldest on done_commands (done_at)',
  'create index done_commands_of_order on done_commands (order_id)',
  `create table entry_operators (
    organization_id uuid not null,
    order_id uuid not null,
    sequence int not null,
    operator text not null,
    primary key (organization_id, order_id, sequence)
  )`,
];

/**
 * `disclosures`: the values of personal fields of custody entries (decision 70). No other table,
 * message or log has them, apart from the driver of an order. Rows are erased, never changed.
 *
 * `artifacts`: the files of handovers and conditions (decision 71).
 */
const personalData = [
  `create table disclosures (
    organization_id uuid not null,
    order_id uuid not null,
    -- the number of the event and of its custody entry
    sequence int not null check (sequence > 0),
    field text not null,
    -- RFC 8785 text
    value text not null,
    -- 32 random bytes in hexadecimal digits
    salt text not null check (salt ~ '^[0-9a-f]{64}$'),
    primary key (organization_id, order_id, sequence, field)
  )`,
  `create function reject_other_value() returns trigger language plpgsql as $$
    begin
      raise exception 'disclosed values are erased, never changed' using errcode = '42501';
    end $$`,
  `create trigger disclosures_are_never_changed before update on disclosures
    for each statement execute function reject_other_value()`,
  `create table artifacts (
    organization_id uuid not null,
    order_id uuid not null,
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    media_type text not null,
    -- SHA-256 of the normalized readings and their device, which finds the same readings in another
    -- file (decision 79); null for files of handovers
    readings_key text check (readings_key ~ '^[0-9a-f]{64}$'),
    -- the number of the custody entry that names the artifact; null until the entry is committed
    sequence int check (sequence > 0),
    -- a picture, signature or document: erased with the order's personal data
    personal boolean not null,
    -- from then on, the file is not served, and is erased
    expires_at timestamptz not null,
    primary key (organization_id, order_id, sha256),
    constraint artifacts_order_fkey foreign key (organization_id, order_id) references orders
  )`,
  'create index artifacts_expiry on artifacts (expires_at)',
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
    organization_id uuid not null,
    order_id uuid not null,
    sequence int not null check (sequence > 0),
    -- contentDigest of the package custody-verifier
    digest bytea not null check (octet_length(digest) = 32),
    produced_at timestamptz not null default clock_timestamp(),
    primary key (organization_id, order_id, sequence)
  )`,
  `create function reject_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'the digests of produced events are never changed or removed'
        using errcode = '42501';
    end $$`,
  `create trigger produced_events_are_append_only
    before update or delete or truncate on produced_events
    for each statement execute function reject_rewriting()`,
  `create table unreported_events (
    organization_id uuid not null,
    order_id uuid not null,
    sequence int not null,
    produced_at timestamptz not null default clock_timestamp(),
    primary key (organization_id, order_id, sequence)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
  'create index unreported_events_oldest on unreported_events (produced_at, order_id, sequence)',
];

/**
 * What the auditor found in the ledger (decisions 53 and 54), outside of the ledger's own database:
 * integrity violations, and the last audit of each kind that it has completed. A violation of the log
 * belongs to no order, and a restored database may not have the order of a violation. Their
 * organization is the nil UUID: a key has no column that may be null.
 */
const audits = [
  `create table integrity_violations (
    organization_id uuid not null,
    id uuid not null,
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
    primary key (organization_id, id),
    check ((acknowledged_at is null) = (acknowledged_by is null)),
    check ((acknowledged_at is null) = (acknowledgment is null))
  )`,
  // an unresolved violation is stored once
  `create unique index integrity_violations_of_organization on integrity_violations
    (organization_id, order_id, entry_id, md5(reason)) nulls not distinct
    where resolved_at is null`,
  'create index integrity_violations_of_order on integrity_violations (order_id, id)',
  // operators and the auditor have the id of a violation alone
  'create index integrity_violations_by_id on integrity_violations (id)',
  `create table ledger_audits (
    kind text primary key check (kind in ('new_entries', 'full')),
    -- before the first audit, the time of the migration, so that a missing auditor is noticed
    completed_at timestamptz not null default clock_timestamp(),
    -- violations that the audit found; null before the first
    violations int check (violations >= 0)
  )`,
  `insert into ledger_audits (kind) values ('new_entries'), ('full')`,
];

/**
 * Moves of organizations between cells. `moved_orders`: evidence of the orders whose organization has
 * left this cell: the ledger of this cell has their entries, and the auditor compares them with what
 * orders has produced.
 */
const moves = [
  ...heldOrganizationsTable,
  ...moveSettingsTable,
  `create table moved_orders (
    organization_id uuid not null,
    order_id uuid not null,
    -- as in orders
    status text not null,
    sequence int not null check (sequence > 0),
    custody_sequence int not null,
    custody_head_hash text not null,
    primary key (organization_id, order_id)
  )`,
  // the auditor has the id of an order alone
  'create index moved_orders_by_id on moved_orders (order_id)',
];

/** Columns of a violation that change after it was found. */
const changed = [
  ...['last_found_at', 'notified_at', 'resolved_at'],
  ...['acknowledged_at', 'acknowledged_by', 'acknowledgment'],
];

/**
 * Takes back what the service's role may not do, of the privileges that each new table gives it. What
 * the ledger is judged by stays, whatever the role does: the digests of produced events, what
 * violations were found and when, an audit of each kind, and the heads of orders that left the cell.
 */
const grants = [
  forOtherRoles(`g.table_name = 'integrity_violations' and g.privilege_type = 'UPDATE'`, [
    'revoke update, delete, truncate on produced_events from %I',
    'revoke update, delete, truncate on integrity_violations from %I',
    `grant update (${changed.join(', ')}) on integrity_violations to %I`,
    'revoke insert, delete, truncate on ledger_audits from %I',
    'revoke delete, truncate on moved_orders from %I',
  ]),
];

/** The database of release 1.1.0. */
export const baseline = sqlMigration('20261129180000_orders', [
  ...locations,
  ...orders,
  ...pollMoments,
  ...idempotency,
  ...commands,
  ...personalData,
  ...producedEvents,
  ...audits,
  ...moves,
  ...grants,
  ...outboxTable,
  ...topicPartitionsTable,
  ...consumerTables,
  ...dailyPartitions({ outbox: 'sent_at is null', inbox: 'false', idempotency: 'false' }),
  // an event id stays in the inbox as long as Kafka can deliver the event
  // (packages/bus/src/inbox-age.ts)
  ...boundedRotation({ outbox: 7, inbox: 16, idempotency: 1 }),
]);
