import { dailyPartitions, sqlMigration } from '@pto/database';

/**
 * Numbers the events of each endpoint as a stream. Stores all events of organizations with
 * endpoints, so that an endpoint can recover missed ones.
 */
export const streams = sqlMigration('20261121220000_streams', [
  // not in `endpoints`: numbering events must not wait for the lock of an update of the health
  `create table endpoint_sequences (
    endpoint_id uuid primary key references endpoints on delete cascade,
    last bigint not null default 0
  ) with (fillfactor = 50)`,
  'insert into endpoint_sequences (endpoint_id) select id from endpoints',
  // 0: queued before streams were numbered
  'alter table deliveries add column sequence bigint not null default 0',
  // The only end that is stored is EXHAUSTED. A delivery that is neither EXHAUSTED nor queued was
  // delivered. So a success, the usual end, changes no row and no index of this table.
  'drop index deliveries_of_endpoint',
  ...['open', 'exhausted'].flatMap((which) => {
    const condition = `state ${which === 'open' ? '<>' : '='} 'EXHAUSTED'`;
    return [
      `create index deliveries_${which} on deliveries (endpoint_id, id desc) where ${condition}`,
      `create index deliveries_${which}_of_event on deliveries (endpoint_id, event, id desc)
       where ${condition}`,
    ];
  }),
  'create index deliveries_of_order on deliveries (endpoint_id, order_id, id desc)',
  `create table events (
    -- of its arrival here
    id uuid primary key,
    organization_id uuid not null,
    order_id uuid not null,
    event_id uuid not null,
    event text not null,
    -- the body of a delivery, but for its number in the endpoint's stream
    body text not null,
    created_at timestamptz not null default now()
  ) partition by range (id)`,
  'create index events_of_organization on events (organization_id, id)',
  // the quarantine: deliveries that the database rejected, in the order of their queueing
  `create table refused_deliveries (
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
  'create index refused_of_order on refused_deliveries (order_id, endpoint_id, position)',
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
  ...dailyPartitions({
    inbox: 'false',
    deliveries: 'id in (select delivery_id from pending_deliveries)',
    attempts: 'false',
    events: 'false',
  }),
]);
