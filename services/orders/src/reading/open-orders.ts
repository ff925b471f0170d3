/** The open orders that a dispatcher's board shows, without those that it shows already. */
import { crc32 } from 'node:zlib';
import { execute, fragment, hyphenated, isoMillis, type Sql } from '@pto/database';
import { invalid } from '@pto/errors';
import { missingBeforeNext } from '../domain/handover.ts';
import type { OrderStatus } from '../domain/order.ts';
import { tables } from '../schema/tables.ts';
import type { Owner } from './show-own.ts';
import { listedTimesOf, lockedCodesOf, present } from './stored-order.ts';

/** A board with more cards helps nobody. */
const openMax = 1000;
/** The goods of larger orders are not read: their items can have hundreds of kilobytes. */
const shownItemsMax = 20;
const [idBytes, versionBytes] = [16, 4];

/** The orders that are due first; their locations are read for these alone. */
const dueFirst = (owner: Owner | null) =>
  tables
    .selectFrom((eb) =>
      eb
        .selectFrom('orders')
        .selectAll()
        .where(fragment<boolean>`status not in ('CLOSED', 'CANCELLED')`)
        .where('status', '<>', 'DRAFT')
        .$if(owner !== null, (orders) => orders.where(owner!.column, '=', owner!.id))
        .orderBy(({ fn }) => fn.coalesce('pickup_window_end', 'pickup_window_start'))
        .orderBy('id')
        .limit(openMax + 1)
        .as('o'),
    )
    .innerJoin('locations as p', 'p.id', 'o.pickup_location_id')
    .whereRef('p.organization_id', '=', 'o.organization_id')
    .innerJoin('locations as d', 'd.id', 'o.dropoff_location_id')
    .whereRef('d.organization_id', '=', 'o.organization_id')
    .select(['o.id', 'o.organization_id', 'o.external_id', 'o.status', 'o.sla'])
    .select(['p.label as pickup_label', 'p.city as pickup_city', 'p.country as pickup_country'])
    .select(['d.label as dropoff_label', 'd.city as dropoff_city', 'd.country as dropoff_country'])
    .select(['p.lat as pickup_lat', 'p.lng as pickup_lng'])
    .select(['d.lat as dropoff_lat', 'd.lng as dropoff_lng'])
    .select(['p.street as pickup_street', 'd.street as dropoff_street'])
    .select(['p.contact_name as pickup_contact', 'p.contact_phone as pickup_phone'])
    .select(['d.contact_name as dropoff_contact', 'd.contact_phone as dropoff_phone'])
    .select(['o.pickup_detail', 'o.dropoff_detail'])
    .select(['o.pickup_window_start', 'o.pickup_window_end', 'o.transport_organization'])
    .select([
      'o.carrier_id',
      'o.driver',
      'o.driver_id',
      'o.item_count',
      'o.temperature_min',
      'o.temperature_max',
    ])
    .select(['o.open_incidents', 'o.required_evidence', 'o.recorded_evidence', 'o.custody_fault'])
    .select(['o.handover_codes', 'o.expected_times', 'o.held_by', 'o.created_at', 'o.updated_at'])
    .select(
      fragment<
        string | null
      >`case when o.item_count <= ${shownItemsMax} then o.items->0->>'goods_type' end`.as(
        'goods_type',
      ),
    )
    .orderBy(({ fn }) => fn.coalesce('o.pickup_window_end', 'o.pickup_window_start'))
    .orderBy('o.id');

type Row = Awaited<ReturnType<typeof readRows>>[number];
const readRows = (sql: Sql, owner: Owner | null) => execute(sql, dueFirst(owner));

/**
 * Returns the open orders of the board that are new or have changed, and the ids of those that are
 * listed no more.
 * @param known orders that the board shows: 16 bytes of the id and 4 of the version for each.
 * @param owner whose orders alone are listed; null: all.
 * @throws Failure VALIDATION for bytes of another form
 */
export const listOpenOrders = async (sql: Sql, known: Uint8Array, owner: Owner | null) => {
  const versions = readKnown(known);
  const rows = await readRows(sql, owner);
  const listed = rows.slice(0, openMax).map(toOpenOrder);
  const orders = listed.filter(({ id, version }) => versions.get(id) !== version);
  for (const { id } of listed) versions.delete(id);
  return { orders, gone: [...versions.keys()], hasMore: rows.length > openMax };
};

const readKnown = (known: Uint8Array): Map<string, number> => {
  const size = idBytes + versionBytes;
  if (known.length % size !== 0 || known.length > openMax * size)
    throw invalid(['known'], `expected ${size} bytes for each of at most ${openMax} orders`);
  const bytes = Buffer.from(known.buffer, known.byteOffset, known.length);
  return new Map(
    Array.from({ length: known.length / size }, (_, n) => {
      const idEnd = n * size + idBytes;
      const id = hyphenated(bytes.toString('hex', n * size, idEnd));
      return [id, bytes.readUInt32BE(idEnd)];
    }),
  );
};

const toOpenOrder = (row: Row) => {
  const order = {
    ...listedTimesOf(row),
    id: row.id,
    organizationId: row.organization_id,
    status: row.status,
    sla: row.sla,
    pickup: {
      ...stop(row.pickup_label, row.pickup_city, row.pickup_country, row.pickup_detail),
      street: row.pickup_street,
      ...present({ lat: row.pickup_lat, lng: row.pickup_lng }),
      ...present({ contactName: row.pickup_contact, contactPhone: row.pickup_phone }),
    },
    dropoff: {
      ...stop(row.dropoff_label, row.dropoff_city, row.dropoff_country, row.dropoff_detail),
      street: row.dropoff_street,
      ...present({ lat: row.dropoff_lat, lng: row.dropoff_lng }),
      ...present({ contactName: row.dropoff_contact, contactPhone: row.dropoff_phone }),
    },
    itemCount: row.item_count,
    ...present({
      externalId: row.external_id,
      pickupWindowEnd: row.pickup_window_end && isoMillis(row.pickup_window_end),
      transportOrganization: row.transport_organization,
      carrierId: row.carrier_id,
      driver: row.driver,
      driverId: row.driver_id,
      heldBy: row.held_by,
      goodsType: row.goods_type,
      temperatureMin: row.temperature_min,
      temperatureMax: row.temperature_max,
      openIncidentsJson: row.open_incidents,
    }),
    missingEvidence: [
      ...missingBeforeNext({
        status: row.status as OrderStatus,
        requiredEvidence: JSON.parse(row.required_evidence ?? '{}'),
        recordedEvidence: JSON.parse(row.recorded_evidence ?? '{}'),
      }),
    ],
    hasCustodyFault: row.custody_fault !== null,
    lockedCodes: lockedCodesOf(row),
    createdAt: isoMillis(row.created_at),
  };
  return { ...order, version: crc32(JSON.stringify(order)) };
};

const stop = (label: string, city: string, country: string, detail: string | null) => ({
  ...{ label, city, country },
  ...present({ detail }),
});
