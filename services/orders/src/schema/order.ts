import { defineEntity, p } from '@mikro-orm/core';

/**
 * An order. `sequence` and `last_event_at` belong to its last event; `custody_sequence` and
 * `custody_head_hash` are the head of its chain that custody has reported (decision 32).
 */
export const OrderEntity = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
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
    driver: p.text().nullable(),
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
  },
});

/**
 * The latest moment that a list by `updated_since` returned to an organization, as `as_of` or as an
 * order's `updated_at`. No later change of the organization's orders gets an earlier time.
 */
export const PollMomentEntity = defineEntity({
  name: 'PollMoment',
  tableName: 'poll_moments',
  properties: {
    organizationId: p.uuid().primary(),
    at: p.datetime(),
  },
});
