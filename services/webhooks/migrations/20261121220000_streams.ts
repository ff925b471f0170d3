import { dailyPartitions, sqlMigration } from '@pto/database';

/**
 * Each endpoint's events as a numbered stream, and what is needed to catch up on it: events of
 * organisations with endpoints, whether or not anybody got them.
 */
export const streams = sqlMigration('20261121220000_streams', [
  // beside the endpoints: whoever numbers events shall not wait for whoever counts failures
  `create table endpoint_sequences (
    endpoint_id uuid primary key references endpoints on delete cascade,
    last bigint not null default 0
  ) with (fillfactor = 50)`,
  'insert into endpoint_sequences (endpoint_id) select id from endpoints',
  // 0: queued before streams were numbered
  'alter table deliveries add column sequence bigint not null default 0',
  // Of a delivery's end only this is written: EXHAUSTED. One that is not, and is not queued any
  // more, was delivered; so that a success, the usual end, changes no row and no index here.
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
  // deliveries that the database would not take, in the order of their queueing
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
  // mails to administrators that are still to be sent
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
