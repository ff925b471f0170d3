import type { Location } from '@pto/proto/orders/v1/locations';

/** Returns a location as partners see it (contract 2.3). */
export const locationJson = (location: Location) => ({
  id: location.id,
  label: location.label,
  street: location.street,
  zip: location.zip,
  city: location.city,
  country: location.country,
  lat: location.lat ?? null,
  lng: location.lng ?? null,
  created_via_api: location.createdViaApi,
  created_at: location.createdAt,
});
