import { deadLetterTable, inboxTables } from '@pto/bus';
import { dailyPartitions, sqlMigration } from '@pto/database';

export const webhooks = sqlMigration('20261121090000_webhooks', [
  `create table endpoints (
    id uuid primary key,
    organization_id uuid not null,
    -- as the partner wrote it
    url text not null,
    -- counts changes of the URL: what is learnt about an old one is not held against the new one
    url_version int not null default 1,
    status text not null check (status in ('PENDING_VERIFICATION', 'ENABLED', 'BROKEN')),
    disabled boolean not null default false,
    -- null: all events
    event_filter text[],
    -- what was queued in an earlier epoch has ended, for the reason kept beside
    epoch int not null default 1,
    epoch_reason text not null default '',
    consecutive_failures int not null default 0,
    failing_since timestamptz,
    -- deliveries given up since the endpoint was last well
    exhausted int not null default 0,
    -- how far administrators were warned since then
    warned_level smallint not null default 0,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    -- the last passed handshake
    verified_at timestamptz,
    created_at timestamptz not null default now()
  ) with (fillfactor = 50)`,
  'create index endpoints_of_organization on endpoints (organization_id, id)',
  `create table endpoint_secrets (
    id uuid primary key,
    endpoint_id uuid not null references endpoints on delete cascade,
    -- which key opens it; sealed is nonce, tag and ciphertext
    sealing_key text not null,
    sealed bytea not null,
    created_at timestamptz not null default now(),
    -- null: the present one
    expires_at timestamptz
  )`,
  'create index secrets_of_endpoint on endpoint_secrets (endpoint_id, created_at desc)',
  `create table deliveries (
    id uuid primary key,
    endpoint_id uuid not null,
    organization_id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    -- the bytes that are sent and signed, made once
    payload bytea not null,
    state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED')),
    -- why it ended, where no attempt was the reason
    reason text not null default '',
    replay_of uuid,
    created_at timestamptz not null default now(),
    ended_at timestamptz
  ) partition by range (id)`,
  'create index deliveries_of_endpoint on deliveries (endpoint_id, state, id desc)',
  `create table attempts (
    delivery_id uuid not null,
    number smallint not null,
    at timestamptz not null,
    status_code smallint,
    error text not null default '',
    duration_ms int not null,
    primary key (delivery_id, number)
  ) partition by range (delivery_id)`,
  // The queue has a table of its own, which stays small: a search for due deliveries does not read
  // the partition of each day.
  `create table pending_deliveries (
    delivery_id uuid primary key,
    endpoint_id uuid not null,
    order_id uuid not null,
    epoch int not null,
    -- the order of queueing
    position bigint generated always as identity,
    due_at timestamptz not null default now(),
    -- begun
    attempts smallint not null default 0,
    first_attempt_at timestamptz,
    -- whether the first attempt has ended (decision 41)
    tried boolean not null default false,
    -- in no index, so that leasing writes the row alone (a heap-only update)
    lease_owner uuid,
    leased_at timestamptz,
    lease_until timestamptz
  ) with (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05
  )`,
  'create index pending_due on pending_deliveries (endpoint_id, due_at, position)',
  `create index pending_untried on pending_deliveries (endpoint_id, order_id, position)
    where not tried`,
  ...inboxTables,
  ...deadLetterTable,
  ...dailyPartitions({ inbox: 'false', deliveries: "state = 'PENDING'", attempts: 'false' }),
]);
