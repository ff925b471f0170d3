import { isoMillis, type Transaction } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { storeResponses } from '../../idempotency/store-responses.ts';
import { toStoredLocation } from '../../locations/location-cache.ts';
import { type Announced, announce } from '../announce.ts';
import { toBody, toStored } from '../stored-order.ts';
import { insertNew } from './insert-new.ts';
import { type LocatedCreation, newOrder } from './new-order.ts';

/**
 * Inserts orders, their events and the stored responses, each with one statement for all orders.
 * The transaction must hold the locks of the idempotency keys, and no two creations may have the
 * same key.
 * @returns the JSON of each inserted order, by its creation. A creation writes nothing and is
 *   absent if a response is stored under its key or its external_id is taken.
 */
export const insertOrders = async (
  tx: Transaction,
  sign: Sign,
  creations: readonly LocatedCreation[],
): Promise<ReadonlyMap<LocatedCreation, Buffer>> => {
  const given = creations.map((creation) => ({ creation, ...newOrder(creation) }));
  const inserted = await insertNew(tx, given);
  const made = given.flatMap(({ creation, columns, announcement }) => {
    const times = inserted.get(columns.id);
    if (!times) return [];
    const pickup = toStoredLocation(creation.pickup);
    const dropoff = toStoredLocation(creation.dropoff);
    const body = toBody(toStored({ ...unset, ...columns, ...times }, pickup, dropoff));
    return [{ creation, columns, announcement, times, body }];
  });
  const events = made.flatMap(({ creation, columns, announcement, times }): Announced[] => {
    const { id, organization_id, external_id, status, sequence } = columns;
    if (!announcement) return [];
    const known = { id, status, sequence, organizationId: organization_id };
    const order = { ...known, externalId: external_id, updatedAt: isoMillis(times.updated_at) };
    return [{ order, announcement, cause: creation.cause }];
  });
  await announce(tx, sign, events);
  await storeResponses(
    tx,
    made.flatMap(({ creation: { scope }, body }) => (scope ? [{ scope, body }] : [])),
  );
  return new Map(made.map(({ creation, body }) => [creation, body]));
};

/** The columns that only commands and reported violations set; null in a new order. */
const unset = {
  price_total: null,
  cancel_reason: null,
  transport_organization: null,
  driver: null,
  custody_fault: null,
};
