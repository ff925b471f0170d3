/** The largest towns of Europe, the largest first: GeoNames (geonames.org), CC BY 4.0. */
import data from './towns.json' with { type: 'json' };

export const towns = data as unknown as readonly (readonly [
  name: string,
  lat: number,
  lng: number,
])[];
