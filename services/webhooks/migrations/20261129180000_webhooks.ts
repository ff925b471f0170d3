import { consumerTables } from '@pto/bus';
import { boundedRotation, dailyPartitions, sqlMigration } from '@pto/database';

/** All tables of the service. */
export const webhooks = sqlMigration('20261126080000_webhooks', [
  `create table endpoints (
    id uuid primary key,
    organization_id uuid not null,
    -- as the partner wrote it
    url text not null,
    -- counts changes of the URL: results of an earlier URL do not count for a later one
    url_version int not null default 1,
    status text not null check (status in ('PENDING_VERIFICATION', 'ENABLED', 'BROKEN')),
    disabled boolean not null default false,
    -- null: all events
    event_filter text[],
    -- deliveries of an earlier generation end, with generation_reason
    generation int not null default 1,
    generation_reason text not null default '',
    consecutive_failures int not null default 0,
    failing_since timestamptz,
    -- deliveries that became EXHAUSTED since the last success or passed handshake
    exhausted int not null default 0,
    -- highest level of the warnings to administrators since then
    warned_level smallint not null default 0,
    last_success_at timestamptz,
    last_failure_at timestamptz,
    -- the last passed handshake
    verified_at timestamptz,
    -- set while the changed URL of an endpoint that was ENABLED is not verified: events are queued
    -- until then
    verify_by timestamptz,
    created_at timestamptz not null default now()
  ) with (fillfactor = 50)`,
  'create index endpoints_of_organization on endpoints (organization_id, id)',
  'create index endpoints_to_verify on endpoints (verify_by) where verify_by is not null',
  // the idempotency keys of creations; a key is deleted with its endpoint
  `create table endpoint_creations (
    endpoint_id uuid primary key references endpoints on delete cascade,
    organization_id uuid not null,
    key text not null,
    body_sha256 bytea not null,
    -- without the secret; null until the handshake has ended
    response text,
    -- when the request that stores the response ends
    finish_by timestamptz not null,
    created_at timestamptz not null default now(),
    constraint endpoint_creation_of_key unique (organization_id, key)
  )`,
  `create table endpoint_secrets (
    id uuid primary key,
    endpoint_id uuid not null references endpoints on delete cascade,
    -- id of the key that decrypts it; sealed is nonce, tag and ciphertext
    sealing_key text not null,
    sealed bytea not null,
    created_at timestamptz not null default now(),
    -- null: the present one
    expires_at timestamptz
  )`,
  'create index secrets_of_endpoint on endpoint_secrets (endpoint_id, created_at desc)',
  // not in `endpoints`: numbering events must not wait for the lock of an update of the health
  `create table endpoint_sequences (
    endpoint_id uuid primary key references endpoints on delete cascade,
    last bigint not null default 0
  ) with (fillfactor = 50)`,
  `create table probe_budgets (
    -- "host:<name>"
    subject text primary key,
    -- when all of the budget is available again
    full_at timestamptz not null
  )`,
  // warning mails to administrators that are not sent yet
  `create table warnings (
    id uuid primary key,
    endpoint_id uuid not null,
    organization_id uuid not null,
    -- percent of the failures that an endpoint may have; 100: BROKEN
    level smallint not null,
    tries int not null default 0,
    next_try_at timestamptz not null default now(),
    created_at timestamptz not null default now()
  )`,
  `create table events (
    -- of its arrival here
    id uuid primary key,
    organization_id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    -- the body of a delivery, without its number in the endpoint's stream
    body text not null,
    created_at timestamptz not null default now()
  ) partition by range (id)`,
  'create index events_of_organization on events (organization_id, id)',
  // The only end that is stored is EXHAUSTED. A delivery that is neither EXHAUSTED nor queued was
  // delivered. So a success, the usual end, changes no row and no index of this table.
  `create table deliveries (
    id uuid primary key,
    endpoint_id uuid not null,
    organization_id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    -- the bytes that each attempt signs and sends
    payload bytea not null,
    state text not null default 'PENDING' check (state in ('PENDING', 'DELIVERED', 'EXHAUSTED')),
    -- why it ended, if no attempt was the reason
    reason text not null default '',
    replay_of uuid,
    -- the event's number in the endpoint's stream
    sequence bigint not null,
    created_at timestamptz not null default now(),
    ended_at timestamptz
  ) partition by range (id)`,
  ...['open', 'exhausted'].flatMap((which) => {
    const condition = `state ${which === 'open' ? '<>' : '='} 'EXHAUSTED'`;
    return [
      `create index deliveries_${which} on deliveries (endpoint_id, id desc) where ${condition}`,
      `create index deliveries_${which}_of_event on deliveries (endpoint_id, event, id desc)
       where ${condition}`,
    ];
  }),
  'create index deliveries_of_order on deliveries (endpoint_id, order_id, id desc)',
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
    generation int not null,
    -- the order of queueing
    position bigint generated always as identity,
    due_at timestamptz not null default now(),
    -- leases
    attempts smallint not null default 0,
    first_attempt_at timestamptz,
    -- whether the first attempt has ended (decision 41)
    tried boolean not null default false,
    -- in no index, so that leasing writes the row alone (a heap-only update)
    lease_owner uuid,
    leased_at timestamptz,
    lease_until timestamptz,
    -- leases that ended without a recorded result
    lost smallint not null default 0,
    -- when the delivery is due again if the present lease ends without a recorded result
    due_if_lost_at timestamptz
  ) with (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05
  )`,
  'create index pending_due on pending_deliveries (endpoint_id, due_at, position)',
  `create index pending_untried on pending_deliveries (endpoint_id, order_id, position)
    where not tried`,
  // the quarantine: deliveries that the database rejected, in the order of their queueing
  `create table quarantined_deliveries (
    position bigint generated always as identity primary key,
    delivery_id uuid not null,
    endpoint_id uuid not null,
    organization_id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    payload bytea not null,
    sequence bigint not null,
    reason text not null,
    tries int not null default 0,
    next_try_at timestamptz not null default now(),
    created_at timestamptz not null default now()
  )`,
  'create index quarantined_of_order on quarantined_deliveries (order_id, endpoint_id, position)',
  ...consumerTables,
  ...dailyPartitions({
    inbox: 'false',
    deliveries: 'id in (select delivery_id from pending_deliveries)',
    attempts: 'false',
    events: 'false',
  }),
  // minimum number of days that the service's role must retain
  ...boundedRotation({ inbox: 16, deliveries: 30, attempts: 30, events: 30 }),
]);
