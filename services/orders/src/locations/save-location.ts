import { type Sql, uuidv7 } from '@pto/database';
import type { StructuredAddress } from '../geocoding/geocoder.ts';
import { addressKey } from './address-key.ts';
import { type LocationRow, locationColumns } from './location-row.ts';

export interface NewLocation extends StructuredAddress {
  readonly label: string | null;
  readonly lat: number | null;
  readonly lng: number | null;
  readonly notes?: string | undefined;
  readonly contactName?: string | undefined;
  readonly contactPhone?: string | undefined;
}

const labelMax = 120;

/** Made of the address where the partner named none (decision 12), cut to the label's length. */
const defaultLabel = ({ street, zip, city }: StructuredAddress): string =>
  [...`${street}, ${zip} ${city}`].slice(0, labelMax).join('');

/**
 * Returns the organization's location at that address: the existing one, unchanged, or a new one.
 * The unique index decides between two at the same moment.
 */
export const saveLocation = async (
  sql: Sql,
  organizationId: string,
  location: NewLocation,
): Promise<LocationRow> => {
  const key = addressKey(location);
  const [created] = await sql.query<LocationRow>(
    `insert into locations (id, organization_id, label, street, zip, city, country, address_key,
       lat, lng, notes, contact_name, contact_phone, created_via_api)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, true)
     on conflict (organization_id, address_key) do nothing
     returning ${locationColumns}`,
    [
      uuidv7(),
      organizationId,
      location.label ?? defaultLabel(location),
      location.street,
      location.zip,
      location.city,
      location.country,
      key,
      location.lat,
      location.lng,
      location.notes ?? null,
      location.contactName ?? null,
      location.contactPhone ?? null,
    ],
  );
  if (created) return created;
  const [existing] = await sql.query<LocationRow>(
    `select ${locationColumns} from locations where organization_id = $1 and address_key = $2`,
    [organizationId, key],
  );
  return existing!;
};
