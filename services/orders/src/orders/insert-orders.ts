import { intArray, isoMillis, type Transaction, textArray, uuidArray } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { isKept, storeResponses } from '../idempotency/idempotency.ts';
import { type Announced, announce } from './announce.ts';
import { changeTime } from './change-time.ts';
import { type LocatedCreation, newOrder } from './new-order.ts';
import { type OrderRow, toBody, toStored } from './order-row.ts';

/**
 * Inserts orders with their events and the stored responses, each by one statement for all. The
 * transaction must hold the locks of the idempotency keys, and a key may occur once.
 * @returns the orders' JSON. A creation has none, and no effect, if a response is stored under its
 *   key or its external_id is taken.
 */
export const insertOrders = async (
  tx: Transaction,
  sign: Sign,
  creations: readonly LocatedCreation[],
): Promise<ReadonlyMap<LocatedCreation, Buffer>> => {
  const given = creations.map((creation) => ({ creation, row: newOrder(creation) }));
  const inserted = await insertRows(tx, given);
  const made = given.flatMap(({ creation, row }) => {
    const times = inserted.get(row.id);
    if (!times) return [];
    return [{ creation, row, times, body: toBody(toStored({ ...row, ...times })) }];
  });
  const events = made.flatMap(({ creation, row, times }): Announced[] => {
    const { id, organization_id, external_id, status, sequence, announcement } = row;
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

interface Given {
  readonly creation: LocatedCreation;
  readonly row: ReturnType<typeof newOrder>;
}

type RowTimes = Pick<
  OrderRow,
  'pickup_window_start' | 'pickup_window_end' | 'created_at' | 'updated_at'
>;

/** Inserts the rows. @returns the times of the inserted orders, by id. */
const insertRows = async (
  tx: Transaction,
  given: readonly Given[],
): Promise<ReadonlyMap<string, RowTimes>> => {
  const texts = (of: (one: Given) => string | null) => textArray(given.map(of));
  const rows = await tx.query<RowTimes & { id: string }>(insertSql, [
    uuidArray(given.map(({ row }) => row.id)),
    uuidArray(given.map(({ row }) => row.organization_id)),
    texts(({ row }) => row.external_id),
    texts(({ row }) => row.status),
    texts(({ row }) => row.sla),
    texts(({ row }) => row.source),
    uuidArray(given.map(({ row }) => row.pickup.id)),
    uuidArray(given.map(({ row }) => row.dropoff.id)),
    texts(({ row }) => row.dropoff_address_text),
    texts(({ creation }) => creation.request.pickupWindowStart),
    texts(({ creation }) => creation.request.pickupWindowEnd ?? null),
    texts(({ row }) => row.notes),
    texts(({ row }) => row.pickup_detail),
    texts(({ row }) => row.dropoff_detail),
    intArray(given.map(({ row }) => row.sequence)),
    texts(({ row }) => row.announcement?.tsUtc ?? null),
    texts(({ row }) => row.items),
    intArray(given.map(({ creation }) => creation.request.goodsTypes.length)),
    texts(({ creation }) => creation.scope?.idempotency.route ?? null),
    texts(({ creation }) => creation.scope?.idempotency.key ?? null),
    given.find(({ creation }) => creation.scope)?.creation.scope?.keepMs ?? 0,
  ]);
  return new Map(rows.map((row) => [row.id, row]));
};

// `offset 0`: each key is looked up in the index, instead of a join that reads the table
const insertSql = `
  insert into orders (id, organization_id, external_id, status, sla, source,
    pickup_location_id, dropoff_location_id, dropoff_address_text, pickup_window_start,
    pickup_window_end, notes, pickup_detail, dropoff_detail, sequence, last_event_at,
    items, item_count, created_at, updated_at)
  select g.id, g.organization_id, g.external_id, g.status, g.sla, g.source, g.pickup, g.dropoff,
    g.dropoff_text, g.window_start::timestamptz, g.window_end::timestamptz, g.notes,
    g.pickup_detail, g.dropoff_detail, g.sequence, g.last_event_at, g.items::json, g.item_count,
    change.at, change.at
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::uuid[],
    $8::uuid[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[],
    $15::int[], $16::text[], $17::text[], $18::int[], $19::text[], $20::text[])
    as g (id, organization_id, external_id, status, sla, source, pickup, dropoff, dropoff_text,
      window_start, window_end, notes, pickup_detail, dropoff_detail, sequence, last_event_at,
      items, item_count, route, key)
  cross join lateral (with ${changeTime('g.organization_id')} select at from change) change
  where g.key is null or not exists (select from idempotency i
    where i.organization_id = g.organization_id and i.route = g.route and i.key = g.key
      and ${isKept('$21')} offset 0)
  -- sorted, so that two transactions with the same external ids do not deadlock
  order by g.organization_id, g.external_id
  on conflict (organization_id, external_id) do nothing
  returning id, pickup_window_start, pickup_window_end, created_at, updated_at`;
