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

/** Contract 2.3. */
export const location = named('Location', {
  id: uuid,
  label: text,
  street: text,
  zip: text,
  city: text,
  country: text,
  lat: described(maybe(number), 'Geocoding is best effort; null where it found nothing.'),
  lng: maybe(number),
  created_via_api: byDefault(boolean, false),
  created_at: dateTime,
});
