import { boolean } from '../validation/numbers.ts';
import { number, timestamp } from '../validation/response-only.ts';
import { described, maybe, model, optional } from '../validation/schema.ts';
import { string, uuid } from '../validation/texts.ts';

/** The request to create a location (contract 2.3). */
export const locationCreate = model('LocationCreate', {
  label: string({ min: 1, max: 120 }),
  street: string({ min: 1, max: 255 }),
  zip: string({ min: 1, max: 20 }),
  city: string({ min: 1, max: 100 }),
  country: optional(string({ max: 10 }), 'DE'),
  notes: maybe(string({ max: 1000 })),
  contact_name: maybe(string({ max: 255 })),
  contact_phone: maybe(string({ max: 50 })),
});

/** A location (contract 2.3). `locationJson` of packages/representation writes the JSON. */
export const location = model('Location', {
  id: uuid(),
  label: string(),
  street: string(),
  zip: string(),
  city: string(),
  country: string(),
  lat: described(maybe(number()), 'Latitude; null if geocoding found no coordinates.'),
  lng: described(maybe(number()), 'Longitude; null if geocoding found no coordinates.'),
  created_via_api: optional(boolean(), false),
  created_at: timestamp(),
});
