import { execute, fragment, isoMillis, isUuid, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { ordersWithReference } from './find-orders.ts';
import { listedTimesOf } from './stored-order.ts';

/** What an operator searches for; empty texts and lists do not restrict. */
export interface OrderSearch {
  readonly text: string;
  readonly organizationId: string;
  readonly statuses: readonly string[];
  /** The last order of the page before; empty for the first page. */
  readonly afterId: string;
  /** 1 to 100. */
  readonly limit: number;
}

const ended = ['CLOSED', 'CANCELLED'];

/** What a list shows of each order, for `OrderSummary`. */
const summaries = () =>
  tables
    .selectFrom('orders as o')
    .innerJoin('locations as p', 'p.id', 'o.pickup_location_id')
    .whereRef('p.organization_id', '=', 'o.organization_id')
    .innerJoin('locations as d', 'd.id', 'o.dropoff_location_id')
    .whereRef('d.organization_id', '=', 'o.organization_id')
    .select(['o.id', 'o.organization_id', 'o.external_id', 'o.status', 'o.sla'])
    .select([
      'p.city as pickup_city',
      'p.country as pickup_country',
      'd.city as dropoff_city',
      'd.country as dropoff_country',
      'o.transport_organization',
      'o.driver',
      'o.held_by',
    ])
    .select(['p.lat as pickup_lat', 'p.lng as pickup_lng'])
    .select(['d.lat as dropoff_lat', 'd.lng as dropoff_lng'])
    .select(['o.sequence', 'o.custody_fault', 'o.has_incident', 'o.open_incidents'])
    .select('o.expected_times')
    .select(['o.pickup_window_start', 'o.pickup_window_end', 'o.created_at', 'o.updated_at']);

type Summaries = ReturnType<typeof summaries>;

/** Restricts to open orders by the condition of the index `orders_open`. */
const open = (from: Summaries): Summaries =>
  from.where(fragment<boolean>`o.status not in ('CLOSED', 'CANCELLED')`);

/** Restricts by organization and status, and to the orders after a page; newest first. */
const page = (from: Summaries, search: OrderSearch): Summaries => {
  const { organizationId, statuses, afterId, limit } = search;
  let found = from;
  if (statuses.length > 0) {
    if (!statuses.some((status) => ended.includes(status))) found = open(found);
    found = found.where(({ eb, fn, val }) => eb('o.status', '=', fn.any(val([...statuses]))));
  }
  // ids of orders are UUIDv7, so they sort by the time of creation
  if (afterId !== '') found = found.where('o.id', '<', afterId);
  if (organizationId === '') return found.orderBy('o.id', 'desc').limit(limit + 1);
  return found
    .where('o.organization_id', '=', organizationId)
    .orderBy('o.created_at', 'desc')
    .orderBy('o.id', 'desc')
    .limit(limit + 1);
};

/** Returns the text as a pattern of LIKE that matches exactly the text. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Of the open orders, a search by a part reads the newest; more would hold a connection. */
const liveMax = 10_000;

/**
 * Selects the ids of the newest open orders with this seal, with the text in their external_id, or
 * with a city that begins so.
 */
const liveWith = (text: string) => {
  const seal = `%${literal(JSON.stringify(text))}%`;
  const city = `${literal(text)}%`;
  const reference = `%${literal(text)}%`;
  return tables
    .selectFrom((eb) =>
      eb
        .selectFrom('orders')
        .select(['id', 'organization_id', 'external_id', 'seal_ids'])
        .select(['pickup_location_id', 'dropoff_location_id'])
        .where(fragment<boolean>`status not in ('CLOSED', 'CANCELLED')`)
        .orderBy('id', 'desc')
        .limit(liveMax)
        .as('o'),
    )
    .innerJoin('locations as p', 'p.id', 'o.pickup_location_id')
    .whereRef('p.organization_id', '=', 'o.organization_id')
    .innerJoin('locations as d', 'd.id', 'o.dropoff_location_id')
    .whereRef('d.organization_id', '=', 'o.organization_id')
    .select('o.id')
    .where(({ eb, or }) =>
      or([
        eb('o.external_id', 'ilike', reference),
        eb('o.seal_ids', 'like', seal),
        eb('p.city', 'ilike', city),
        eb('d.city', 'ilike', city),
      ]),
    );
};

/**
 * Selects what the search finds. A text finds one order by its id, orders of all organizations by
 * their external_id, and open orders by a part of their external_id, by a seal or by the beginning
 * of a city.
 */
export const searchStatement = (search: OrderSearch) => {
  const { text } = search;
  if (text === '') return page(summaries(), search);
  if (isUuid(text)) return page(summaries().where('o.id', '=', text), search);
  const withReference = tables.selectFrom(ordersWithReference(text).as('f')).select('f.id');
  return page(summaries().where('o.id', 'in', withReference.union(liveWith(text))), search);
};

/** Returns a page of orders, newest first, and the id after which the next page begins. */
export const searchOrders = async (sql: Sql, search: OrderSearch) => {
  const rows = await execute(sql, searchStatement(search));
  const shown = rows.slice(0, search.limit);
  return {
    orders: shown.map((row) => ({
      ...listedTimesOf(row),
      id: row.id,
      organizationId: row.organization_id,
      ...(row.external_id !== null && { externalId: row.external_id }),
      status: row.status,
      sla: row.sla,
      pickupCity: row.pickup_city,
      pickupCountry: row.pickup_country,
      dropoffCity: row.dropoff_city,
      dropoffCountry: row.dropoff_country,
      ...(row.transport_organization !== null && {
        transportOrganization: row.transport_organization,
      }),
      ...(row.driver !== null && { driver: row.driver }),
      ...(row.held_by !== null && { heldBy: row.held_by }),
      sequence: row.sequence,
      hasCustodyFault: row.custody_fault !== null,
      hasIncident: row.has_incident,
      ...(row.open_incidents !== null && { openIncidentsJson: row.open_incidents }),
      ...(row.pickup_window_end !== null && {
        pickupWindowEnd: isoMillis(row.pickup_window_end),
      }),
      createdAt: isoMillis(row.created_at),
    })),
    nextAfterId: rows.length > search.limit ? shown.at(-1)!.id : '',
  };
};
