import { defineEntity, p } from '@mikro-orm/core';
import type { deliveryStates } from '@pto/proto/vocabulary';

/** An event of an organization with endpoints; the endpoints can recover the event for 30 days. */
export const StoredEventEntity = defineEntity({
  name: 'StoredEvent',
  tableName: 'events',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    orderId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    body: p.text(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

type DeliveryState = (typeof deliveryStates)[number];

/**
 * A delivery. `state` becomes EXHAUSTED when a delivery ends without success. After a success,
 * `state` stays PENDING and the delivery's row in `pending_deliveries` is deleted.
 */
export const DeliveryEntity = defineEntity({
  name: 'Delivery',
  tableName: 'deliveries',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    endpointId: p.uuid(),
    orderId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    payload: p.blob(),
    state: p.text().$type<DeliveryState>().default('PENDING'),
    reason: p.text().default(''),
    replayOf: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    endedAt: p.datetime().nullable(),
    sequence: p.bigint('string'),
  },
});

/** A replay, by the id that an operator's request gave it; stored for a day. */
export const NamedReplayEntity = defineEntity({
  name: 'NamedReplay',
  tableName: 'named_replays',
  properties: {
    organizationId: p.uuid().primary(),
    commandId: p.uuid().primary(),
    replayedId: p.uuid(),
    deliveryId: p.uuid(),
    createdAt: p.datetime().defaultRaw('clock_timestamp()').index('named_replays_oldest'),
  },
});

/**
 * An ended attempt of a delivery; `error` is `lost` if its lease ended without a result. An empty
 * `responseBody` was erased (erase-responses.ts).
 */
export const AttemptEntity = defineEntity({
  name: 'Attempt',
  tableName: 'attempts',
  properties: {
    organizationId: p.uuid().primary(),
    deliveryId: p.uuid().primary(),
    number: p.smallint().primary(),
    at: p.datetime(),
    statusCode: p.smallint().nullable(),
    error: p.text().default(''),
    durationMs: p.integer(),
    responseBody: p.text().nullable(),
  },
});

/** A queued delivery: it has neither been delivered nor ended. */
export const PendingDeliveryEntity = defineEntity({
  name: 'PendingDelivery',
  tableName: 'pending_deliveries',
  properties: {
    organizationId: p.uuid().primary(),
    deliveryId: p.uuid().primary(),
    endpointId: p.uuid(),
    orderId: p.uuid(),
    generation: p.integer(),
    position: p.bigint('string').autoincrement(),
    dueAt: p.datetime().defaultRaw('now()'),
    attempts: p.smallint().default(0),
    firstAttemptAt: p.datetime().nullable(),
    tried: p.boolean().default(false),
    leaseOwner: p.uuid().nullable(),
    leasedAt: p.datetime().nullable(),
    leaseUntil: p.datetime().nullable(),
    lost: p.smallint().default(0),
    dueIfLostAt: p.datetime().nullable(),
    duplicated: p.boolean().nullable(),
  },
});

/**
 * A delivery in the quarantine: the database rejected it, or rejected an earlier delivery of the
 * same order and endpoint.
 */
export const QuarantinedDeliveryEntity = defineEntity({
  name: 'QuarantinedDelivery',
  tableName: 'quarantined_deliveries',
  properties: {
    organizationId: p.uuid().primary(),
    position: p.bigint('string').primary().autoincrement(),
    deliveryId: p.uuid(),
    endpointId: p.uuid(),
    orderId: p.uuid(),
    eventId: p.uuid(),
    event: p.text(),
    payload: p.blob(),
    sequence: p.bigint('string'),
    reason: p.text(),
    tries: p.integer().default(0),
    nextTryAt: p.datetime().defaultRaw('now()'),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
