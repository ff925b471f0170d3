import {
  boolean,
  byDefault,
  dateTime,
  described,
  maybe,
  named,
  number,
  text,
  uuid,
} from './shape.ts';

/** A location (contract 2.3). `locationJson` of packages/representation writes the JSON. */
export const location = named('Location', {
  id: uuid,
  label: text,
  street: text,
  zip: text,
  city: text,
  country: text,
  lat: described(maybe(number), 'Latitude; null if geocoding found no coordinates.'),
  lng: described(maybe(number), 'Longitude; null if geocoding found no coordinates.'),
  created_via_api: byDefault(boolean, false),
  created_at: dateTime,
});
