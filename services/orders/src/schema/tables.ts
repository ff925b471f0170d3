import { defineEntity, p } from '@mikro-orm/core';
import { consumerEntities } from '@pto/bus';
import { type RowsOf, tablesOf } from '@pto/database';
import { HeldOrganizationEntity, MoveSettingEntity } from '@pto/moves';
import { OutboxEntity, TopicPartitionsEntity } from '@pto/outbox';

/**
 * An order. `sequence` and `last_event_at` belong to its last event; `custody_sequence` and
 * `custody_head_hash` are the head of its chain that custody has reported (decision 32).
 */
const OrderEntity = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    externalId: p.text().nullable(),
    status: p.text(),
    sla: p.text(),
    source: p.text(),
    pickupLocationId: p.uuid(),
    dropoffLocationId: p.uuid(),
    dropoffAddressText: p.text().nullable(),
    pickupWindowStart: p.datetime(),
    pickupWindowEnd: p.datetime().nullable(),
    notes: p.text().nullable(),
    pickupDetail: p.text().nullable(),
    dropoffDetail: p.text().nullable(),
    priceTotal: p.decimal().precision(12).scale(2).nullable(),
    cancelReason: p.text().nullable(),
    transportOrganization: p.text().nullable(),
    carrierId: p.uuid().nullable(),
    driver: p.text().nullable(),
    driverId: p.uuid().nullable(),
    sequence: p.integer().default(0),
    lastEventAt: p.text().nullable(),
    blockingType: p.text().nullable(),
    blockingAt: p.text().nullable(),
    custodySequence: p.integer().default(0),
    custodyHeadHash: p.text().default(''),
    createdAt: p.datetime().defaultRaw('now()'),
    updatedAt: p.datetime().defaultRaw('now()'),
    custodyFault: p.text().nullable(),
    items: p.json<readonly unknown[]>().columnType('json'),
    itemCount: p.integer(),
    requiredEvidence: p.text().nullable(),
    recordedEvidence: p.text().nullable(),
    sealIds: p.text().nullable(),
    temperatureMin: p.decimal().precision(6).scale(2).nullable(),
    temperatureMax: p.decimal().precision(6).scale(2).nullable(),
    hasIncident: p.boolean().default(false),
    deliveredAt: p.text().nullable(),
    openIncidents: p.text().nullable(),
    heldBy: p.text().nullable(),
    handoverCodes: p.text().nullable(),
    expectedTimes: p.text().nullable(),
    expectedDueAt: p.datetime().nullable(),
  },
});

/**
 * The latest moment that a list by `updated_since` returned to an organization, as `as_of` or as an
 * order's `updated_at`. No later change of the organization's orders gets an earlier time.
 */
const PollMomentEntity = defineEntity({
  name: 'PollMoment',
  tableName: 'poll_moments',
  properties: {
    organizationId: p.uuid().primary(),
    at: p.datetime(),
  },
});

/** A saved address. `address_key` is the SHA-256 of the normalized address (decision 12). */
const LocationEntity = defineEntity({
  name: 'Location',
  tableName: 'locations',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    label: p.text(),
    street: p.text(),
    zip: p.text(),
    city: p.text(),
    country: p.text(),
    addressKey: p.blob(),
    notes: p.text().nullable(),
    contactName: p.text().nullable(),
    contactPhone: p.text().nullable(),
    lat: p.double().$type<number>().nullable(),
    lng: p.double().$type<number>().nullable(),
    createdViaApi: p.boolean(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});

/** A stored response (decision 24). The column `answer` has the bytes of the response. */
const IdempotencyKeyEntity = defineEntity({
  name: 'IdempotencyKey',
  tableName: 'idempotency',
  properties: {
    organizationId: p.uuid().primary(),
    route: p.text().primary(),
    key: p.text().primary(),
    id: p.uuid().primary(),
    bodySha256: p.blob(),
    response: p.blob().name('answer'),
  },
});

/** A command of an operator that took effect, by the id that its sender gave it. */
const DoneCommandEntity = defineEntity({
  name: 'DoneCommand',
  tableName: 'done_commands',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    orderId: p.uuid().index('done_commands_of_order'),
    requestSha256: p.blob(),
    outcome: p.text().nullable(),
    doneAt: p.datetime().defaultRaw('clock_timestamp()').index('done_commands_oldest'),
  },
});

/** The digest of an event that orders produced, as evidence for the auditor (decision 55). */
const ProducedEventEntity = defineEntity({
  name: 'ProducedEvent',
  tableName: 'produced_events',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    digest: p.blob(),
    producedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/**
 * The value of a personal field of a custody entry (decision 70), as JSON, and the salt of the
 * commitment in the entry's payload. An erasure deletes the row.
 */
const DisclosureEntity = defineEntity({
  name: 'Disclosure',
  tableName: 'disclosures',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    field: p.text().primary(),
    value: p.text(),
    salt: p.text(),
  },
});

/**
 * The operator whose command made a custody entry. An entry without a row was made by a partner, or
 * by the service.
 */
const EntryOperatorEntity = defineEntity({
  name: 'EntryOperator',
  tableName: 'entry_operators',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    operator: p.text(),
  },
});

/** An event that orders has produced and for which custody has not reported an entry yet. */
const UnreportedEventEntity = defineEntity({
  name: 'UnreportedEvent',
  tableName: 'unreported_events',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    sequence: p.integer().primary(),
    producedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/**
 * An integrity violation of the ledger (decisions 53 and 54). `order_id` is null for a violation of
 * the log. The organization of such a violation, and of an order that this database does not have,
 * is the nil UUID.
 */
const IntegrityViolationEntity = defineEntity({
  name: 'IntegrityViolation',
  tableName: 'integrity_violations',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    orderId: p.uuid().nullable(),
    entryId: p.text(),
    reason: p.text(),
    foundAt: p.datetime().defaultRaw('clock_timestamp()'),
    lastFoundAt: p.datetime().defaultRaw('clock_timestamp()'),
    notifiedAt: p.datetime().nullable(),
    resolvedAt: p.datetime().nullable(),
    acknowledgedAt: p.datetime().nullable(),
    acknowledgedBy: p.text().nullable(),
    acknowledgment: p.text().nullable(),
  },
});

/** The last audit of a kind. `violations` is null before the first. */
const LedgerAuditEntity = defineEntity({
  name: 'LedgerAudit',
  tableName: 'ledger_audits',
  properties: {
    kind: p.text().primary(),
    completedAt: p.datetime().defaultRaw('clock_timestamp()'),
    violations: p.integer().nullable(),
  },
});

/** A file of a handover or of readings; the store of @pto/artifacts has its content. */
const ArtifactEntity = defineEntity({
  name: 'Artifact',
  tableName: 'artifacts',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    sha256: p.text().primary(),
    mediaType: p.text(),
    sequence: p.integer().nullable(),
    personal: p.boolean(),
    expiresAt: p.datetime().index('artifacts_expiry'),
    readingsKey: p.text().nullable(),
  },
});

/**
 * Evidence of an order whose organization has left this cell; the columns are those of the order.
 * The digests of its events stay in `produced_events`.
 */
const MovedOrderEntity = defineEntity({
  name: 'MovedOrder',
  tableName: 'moved_orders',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary().index('moved_orders_by_id'),
    status: p.text(),
    sequence: p.integer(),
    custodySequence: p.integer(),
    custodyHeadHash: p.text(),
  },
});

/** A driver whom an order has or had, by the record of operators. */
const DriverOrderEntity = defineEntity({
  name: 'DriverOrder',
  tableName: 'driver_orders',
  properties: {
    organizationId: p.uuid().primary(),
    orderId: p.uuid().primary(),
    driverId: p.uuid().primary().index('driver_orders_by_driver'),
  },
});

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  LocationEntity,
  OrderEntity,
  PollMomentEntity,
  IdempotencyKeyEntity,
  DoneCommandEntity,
  ProducedEventEntity,
  DisclosureEntity,
  EntryOperatorEntity,
  ArtifactEntity,
  UnreportedEventEntity,
  IntegrityViolationEntity,
  LedgerAuditEntity,
  MovedOrderEntity,
  DriverOrderEntity,
  HeldOrganizationEntity,
  MoveSettingEntity,
  ...consumerEntities,
  OutboxEntity,
  TopicPartitionsEntity,
] as const;

/** Builds statements over these tables. `execute` of @pto/database runs them. */
export const tables = tablesOf(entities);

/** Row types of these tables. */
export type Rows = RowsOf<typeof tables>;
