import { create } from '@bufbuild/protobuf';
import { isoMillis } from '@pto/database';
import { type Location, LocationSchema } from '@pto/proto/orders/v1/locations';
import type { Rows } from '../schema/tables.ts';

export const locationColumns = [
  'id',
  'label',
  'street',
  'zip',
  'city',
  'country',
  'lat',
  'lng',
  'created_via_api',
  'created_at',
] as const;

export type LocationRow = Pick<Rows['locations'], (typeof locationColumns)[number]>;

export const toLocation = (row: LocationRow): Location =>
  create(LocationSchema, {
    id: row.id,
    label: row.label,
    street: row.street,
    zip: row.zip,
    city: row.city,
    country: row.country,
    ...(row.lat !== null && { lat: row.lat }),
    ...(row.lng !== null && { lng: row.lng }),
    createdViaApi: row.created_via_api,
    createdAt: isoMillis(row.created_at),
  });
