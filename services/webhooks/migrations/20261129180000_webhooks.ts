import { consumerTables } from '@pto/bus';
import { boundedRotation, dailyPartitions, sqlMigration } from '@pto/database';
import { heldOrganizationsTable, moveSettingsTable } from '@pto/moves';

/** The foreign key of a part of an endpoint, which is deleted with it. */
const ofEndpoint = (table: string): string =>
  `constraint ${table}_endpoint_id_fkey foreign key (organization_id, endpoint_id)
      references endpoints on delete cascade`;

/** The organization leads all keys, so that rows can be distributed by organization. */
const endpoints = [
  `create table endpoints (
    organization_id uuid not null,
    id uuid not null,
    -- as the partner wrote it
    url text not null,
    -- counts changes of the URL: results of an earlier URL do not count for a later one
    url_version int not null default 1,
    status text not null check (status in ('PENDING_VERIFICATION', 'ENABLED', 'BROKEN')),
    disabled boolean not null default false,
    -- while a move holds the organization: nothing is sent, and no work of this service changes it
    paused boolean not null default false,
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
    -- when a disabled endpoint was enabled again
    resumed_at timestamptz,
    -- the rehearsal of the sandbox (decision 67); null in production
    rehearsal_speed smallint check (rehearsal_speed between 1 and 60),
    rehearsal_faults text[],
    -- null: there was no rehearsal
    rehearsal_ends_at timestamptz,
    created_at timestamptz not null default now(),
    primary key (organization_id, id)
  ) with (fillfactor = 50)`,
  // operators have the id of an endpoint alone
  'create index endpoints_of_id on endpoints (id)',
  'create index endpoints_to_verify on endpoints (verify_by) where verify_by is not null',
  // find the endpoints that may become BROKEN, in silence or by failures, without reading all
  'create index endpoints_exhausted on endpoints (id) where exhausted > 0',
  'create index endpoints_failing on endpoints (failing_since) where failing_since is not null',
  // the idempotency keys of creations; a key is deleted with its endpoint
  `create table endpoint_creations (
    organization_id uuid not null,
    endpoint_id uuid not null,
    key text not null,
    body_sha256 bytea not null,
    -- without the secret; null until the handshake has ended
    response text,
    -- when the request that stores the response ends
    finish_by timestamptz not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, endpoint_id),
    constraint endpoint_creation_of_key unique (organization_id, key),
    ${ofEndpoint('endpoint_creations')}
  )`,
  `create table endpoint_secrets (
    organization_id uuid not null,
    id uuid not null,
    endpoint_id uuid not null,
    -- id of the key that decrypts it; sealed is nonce, tag and ciphertext
    sealing_key text not null,
    sealed bytea not null,
    created_at timestamptz not null default now(),
    -- null: the present one
    expires_at timestamptz,
    primary key (organization_id, id),
    ${ofEndpoint('endpoint_secrets')}
  )`,
  'create index secrets_of_endpoint on endpoint_secrets (endpoint_id, created_at desc)',
  // not in `endpoints`: numbering events must not wait for the lock of an update of the health
  `create table endpoint_sequences (
    organization_id uuid not null,
    endpoint_id uuid not null,
    last bigint not null default 0,
    primary key (organization_id, endpoint_id),
    ${ofEndpoint('endpoint_sequences')}
  ) with (fillfactor = 50)`,
  // what stays of a deleted endpoint while its deliveries are stored (decision 80)
  `create table deleted_endpoints (
    organization_id uuid not null,
    id uuid not null,
    address text not null,
    deleted_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
  'create index deleted_endpoints_oldest on deleted_endpoints (deleted_at)',
  `create table probe_budgets (
    -- "host:<name>"
    subject text primary key,
    -- when all of the budget is available again
    full_at timestamptz not null
  )`,
  // warning mails to administrators that are not sent yet
  `create table warnings (
    organization_id uuid not null,
    id uuid not null,
    endpoint_id uuid not null,
    -- percent of the failures that an endpoint may have; 100: BROKEN
    level smallint not null,
    tries int not null default 0,
    next_try_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    primary key (organization_id, id)
  )`,
];

const deliveries = [
  `create table events (
    organization_id uuid not null,
    -- of its arrival here
    id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    -- the body of a delivery, without its number in the endpoint's stream
    body text not null,
    created_at timestamptz not null default now(),
    primary key (organization_id, id)
  ) partition by range (id)`,
  // The only end that is stored is EXHAUSTED. A delivery that is neither EXHAUSTED nor queued was
  // delivered. So a success, the usual end, changes no row and no index of this table.
  `create table deliveries (
    organization_id uuid not null,
    id uuid not null,
    endpoint_id uuid not null,
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
    ended_at timestamptz,
    primary key (organization_id, id)
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
  // operators have the id of a delivery alone
  'create index deliveries_of_id on deliveries (id)',
  `create table attempts (
    organization_id uuid not null,
    delivery_id uuid not null,
    number smallint not null,
    at timestamptz not null,
    status_code smallint,
    error text not null default '',
    duration_ms int not null,
    primary key (organization_id, delivery_id, number)
  ) partition by range (delivery_id)`,
  // replays that operators named, so that a repeated request queues no second delivery
  `create table named_replays (
    organization_id uuid not null,
    -- the id that the operator's request has
    command_id uuid not null,
    replayed_id uuid not null,
    delivery_id uuid not null,
    created_at timestamptz not null default clock_timestamp(),
    primary key (organization_id, command_id)
  )`,
  'create index named_replays_oldest on named_replays (created_at)',
];

/**
 * The queue has a table of its own, which stays small: a search for due deliveries does not read the
 * partition of each day.
 */
const queue = [
  `create table pending_deliveries (
    organization_id uuid not null,
    delivery_id uuid not null,
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
    due_if_lost_at timestamptz,
    -- true: an attempt succeeded, and the rehearsal sends the delivery once more
    duplicated boolean,
    primary key (organization_id, delivery_id)
  ) with (
    fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05
  )`,
  'create index pending_due on pending_deliveries (endpoint_id, due_at, position)',
  `create index pending_untried on pending_deliveries (endpoint_id, order_id, position)
    where not tried`,
  // the quarantine: deliveries that the database rejected, in the order of their queueing
  `create table quarantined_deliveries (
    organization_id uuid not null,
    position bigint generated always as identity,
    delivery_id uuid not null,
    endpoint_id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    payload bytea not null,
    sequence bigint not null,
    reason text not null,
    tries int not null default 0,
    next_try_at timestamptz not null default now(),
    created_at timestamptz not null default now(),
    primary key (organization_id, position)
  )`,
  'create index quarantined_of_order on quarantined_deliveries (order_id, endpoint_id, position)',
];

/** The columns of endpoints that partners and operators change, not those of their health. */
const changed = [
  ...['url', 'url_version', 'status', 'disabled', 'event_filter', 'generation', 'verify_by'],
  ...['rehearsal_speed', 'rehearsal_faults', 'rehearsal_ends_at'],
];

/** Changes of rows that the hold of an organization rejects. */
const rejectedWhileHeld = {
  endpoints: `insert or delete or update of ${changed.join(', ')}`,
  endpoint_secrets: 'insert or update of expires_at',
  endpoint_creations: 'insert or update',
};

/**
 * Moves of organizations between cells. A row-level trigger runs after PostgreSQL has locked the
 * row, so a change of a row that Hold locks sees the hold. The lock of an endpoint covers the inserts
 * of its secrets; the organization's name covers those of endpoints and creations
 * (src/moves/hold.ts). Reseals of secrets change no secret, and are not rejected.
 */
const moves = [
  ...heldOrganizationsTable,
  ...moveSettingsTable,
  `create function reject_while_held() returns trigger language plpgsql as $$
   begin
     if tg_op = 'DELETE' then
       perform require_not_held(old.organization_id);
       return old;
     end if;
     perform require_not_held(new.organization_id);
     return new;
   end $$`,
  ...Object.entries(rejectedWhileHeld).map(
    ([table, changes]) => `create trigger held before ${changes} on ${table}
     for each row execute function reject_while_held()`,
  ),
];

/** The database of release 1.1.0. */
export const baseline = sqlMigration('20261129180000_webhooks', [
  ...endpoints,
  ...deliveries,
  ...queue,
  ...moves,
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
