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

/** Contract 2.3. The JSON is written by `locationJson` of packages/representation. */
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
