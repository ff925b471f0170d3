import { create } from '@bufbuild/protobuf';
import { isoMillis, type Sql } from '@pto/database';
import { type Order, OrderItemSchema, OrderSchema } from '@pto/proto/orders/v1/orders';
import { type OrderFields, orderBytes } from '@pto/representation';
import { lockedSides } from '../domain/handover-code.ts';
import { expectedTimes, type Place } from '../expected-times/expected-times.ts';
import type { FindLocations, StoredLocation } from '../locations/locations.ts';
import { type Rows, tables } from '../schema/tables.ts';

/** The columns of `orders` from which an order is shown, without its items. */
const columns = [
  'id',
  'organization_id',
  'external_id',
  'status',
  'sla',
  'source',
  'pickup_location_id',
  'dropoff_location_id',
  'dropoff_address_text',
  'pickup_window_start',
  'pickup_window_end',
  'notes',
  'pickup_detail',
  'dropoff_detail',
  'price_total',
  'cancel_reason',
  'transport_organization',
  'carrier_id',
  'driver',
  'driver_id',
  'custody_fault',
  'required_evidence',
  'temperature_min',
  'temperature_max',
  'has_incident',
  'open_incidents',
  'handover_codes',
  'expected_times',
  'sequence',
  'created_at',
  'updated_at',
] as const;

export interface OrderRow extends Pick<Rows['orders'], (typeof columns)[number]> {
  /** The items as a JSON array, in the form that partners see. */
  readonly items: string;
}

/** Selects orders `o` without their items. */
export const orderColumns = tables
  .selectFrom('orders as o')
  .select(columns.map((column) => `o.${column}` as const));

/** The connection or transaction that reads orders, and the cache of their locations. */
export interface OrderSource {
  readonly sql: Sql;
  readonly findLocations: FindLocations;
}

/**
 * An order as the database and the cache of locations return it. PostgreSQL renders the items,
 * because there can be thousands. Partners get it as JSON (`toBody`), operators as a message.
 */
export interface StoredOrder {
  readonly order: OrderFields;
  readonly pickup: StoredLocation;
  readonly dropoff: StoredLocation;
  /** The items as a JSON array, in the form that partners see. */
  readonly itemsJson: string;
  /** Time of creation with microseconds, as PostgreSQL prints it. */
  readonly createdAtMicros: string;
}

/** Returns the orders of rows, with their locations. */
export const withLocations = async (
  { sql, findLocations }: OrderSource,
  rows: readonly OrderRow[],
): Promise<StoredOrder[]> => {
  const stops = rows.map(({ organization_id: organizationId, ...row }) => [
    { organizationId, id: row.pickup_location_id },
    { organizationId, id: row.dropoff_location_id },
  ]);
  const find = await findLocations(sql, stops.flat());
  return rows.map((row, n) => {
    const [pickup, dropoff] = stops[n]!.map(find);
    return toStored(row, pickup!, dropoff!);
  });
};

export const toStored = (
  row: OrderRow,
  pickup: StoredLocation,
  dropoff: StoredLocation,
): StoredOrder => {
  const times = {
    pickupWindowStart: isoMillis(row.pickup_window_start),
    updatedAt: isoMillis(row.updated_at),
  };
  const order = {
    ...times,
    ...expectedTimesOf(
      { status: row.status, expected_times: row.expected_times, ...times },
      pickup.location,
      dropoff.location,
    ),
    id: row.id,
    organizationId: row.organization_id,
    externalId: row.external_id,
    status: row.status,
    sla: row.sla,
    source: row.source,
    dropoffAddressText: row.dropoff_address_text,
    pickupWindowEnd: row.pickup_window_end && isoMillis(row.pickup_window_end),
    notes: row.notes,
    pickupDetail: row.pickup_detail,
    dropoffDetail: row.dropoff_detail,
    priceTotal: row.price_total,
    cancelReason: row.cancel_reason,
    transportOrganization: row.transport_organization,
    carrierId: row.carrier_id,
    driver: row.driver,
    driverId: row.driver_id,
    custodyFault: row.custody_fault,
    requiredEvidenceJson: row.required_evidence,
    temperatureMin: row.temperature_min,
    temperatureMax: row.temperature_max,
    hasIncident: row.has_incident,
    openIncidentsJson: row.open_incidents,
    lockedCodes: lockedCodesOf(row),
    sequence: row.sequence,
    createdAt: isoMillis(row.created_at),
  };
  return { order, pickup, dropoff, itemsJson: row.items, createdAtMicros: row.created_at };
};

/** Returns the expected times of an order's row (decision 87). */
export const expectedTimesOf = (
  row: Pick<OrderRow, 'status' | 'expected_times'> & {
    readonly pickupWindowStart: string;
    readonly updatedAt: string;
  },
  pickup: Place,
  dropoff: Place,
) => expectedTimes({ ...row, expected: JSON.parse(row.expected_times ?? 'null') }, pickup, dropoff);

/** Returns the times of a row of a list, which has the places of the order's stops. */
export const listedTimesOf = (
  row: Pick<Rows['orders'], 'status' | 'expected_times' | 'pickup_window_start' | 'updated_at'> & {
    readonly [Name in 'pickup_lat' | 'pickup_lng' | 'dropoff_lat' | 'dropoff_lng']: number | null;
  } & { readonly pickup_country: string; readonly dropoff_country: string },
) => {
  const times = {
    pickupWindowStart: isoMillis(row.pickup_window_start),
    updatedAt: isoMillis(row.updated_at),
  };
  const expected = expectedTimesOf(
    { ...row, ...times },
    { lat: row.pickup_lat, lng: row.pickup_lng, country: row.pickup_country },
    { lat: row.dropoff_lat, lng: row.dropoff_lng, country: row.dropoff_country },
  );
  return { ...times, ...present(expected) };
};

/** Returns the sides whose code is locked. */
export const lockedCodesOf = ({ handover_codes: codes }: Pick<Rows['orders'], 'handover_codes'>) =>
  codes === null ? [] : lockedSides(JSON.parse(codes));

/** An item in the form that partners see (contract 2.1). */
interface Item {
  readonly goods_type: string;
  readonly seal_id: string | null;
}

export const readItems = (itemsJson: string): readonly Item[] => JSON.parse(itemsJson);

/** Returns the JSON of items; an item without a seal has the seal null. */
export const itemsText = (items: readonly Item[]): string => JSON.stringify(items);

/** Returns the order's JSON for partners, in UTF-8. */
export const toBody = ({ order, pickup, dropoff, itemsJson: items }: StoredOrder): Buffer =>
  orderBytes(order, { pickup: pickup.json, dropoff: dropoff.json, items });

/** Returns the order as a message for operators. */
export const toMessage = ({ order, pickup, dropoff, itemsJson }: StoredOrder): Order =>
  create(OrderSchema, {
    ...present(order),
    pickupLocation: pickup.location,
    dropoffLocation: dropoff.location,
    items: readItems(itemsJson).map(({ goods_type: goodsType, seal_id: sealId }) =>
      create(OrderItemSchema, { goodsType, ...present({ sealId }) }),
    ),
  });

/** Returns the members that are not null. */
export const present = <T extends object>(members: T) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [K in keyof T]: null extends T[K] ? Exclude<T[K], null> | undefined : T[K];
  };
