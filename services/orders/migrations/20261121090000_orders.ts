import { deadLetterTable, inboxTables } from '@pto/bus';
import { dailyPartitions, sqlMigration } from '@pto/database';
import { outboxTable } from '@pto/outbox';

export const orders = sqlMigration('20261121090000_orders', [
  `create table locations (
    id uuid primary key,
    organization_id uuid not null,
    label text not null,
    street text not null,
    zip text not null,
    city text not null,
    country text not null,
    -- SHA-256 of the normalised address (decision 12)
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
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (organization_id, external_id)
  )`,
  'create index orders_newest on orders (organization_id, created_at desc, id desc)',
  'create index orders_by_status on orders (organization_id, status, created_at desc, id desc)',
  'create index orders_by_change on orders (organization_id, updated_at)',
  `create table order_items (
    order_id uuid not null references orders,
    position int not null,
    goods_type text not null,
    seal_id text,
    primary key (order_id, position)
  )`,
  `create table idempotency (
    organization_id uuid not null,
    route text not null,
    key text not null,
    body_sha256 bytea not null,
    -- the first answer's body, to the byte; null only inside the transaction that makes it
    answer bytea,
    created_at timestamptz not null default now(),
    primary key (organization_id, route, key)
  )`,
  'create index idempotency_oldest on idempotency (created_at)',
  ...outboxTable,
  ...inboxTables,
  ...deadLetterTable,
  ...dailyPartitions({ outbox: 'sent_at is null', inbox: 'false' }),
]);
