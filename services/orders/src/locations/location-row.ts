import { create } from '@bufbuild/protobuf';
import { isoMillis } from '@pto/database';
import { type Location, LocationSchema } from '@pto/proto/orders/v1/locations';

export interface LocationRow {
  readonly id: string;
  readonly label: string;
  readonly street: string;
  readonly zip: string;
  readonly city: string;
  readonly country: string;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly created_via_api: boolean;
  readonly created_at: string;
}

export const locationColumns =
  'id, label, street, zip, city, country, lat, lng, created_via_api, created_at';

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
