import { ConfigError } from '@pto/config';
import { openGazetteer } from './gazetteer.ts';
import type { Geocoder } from './geocoder.ts';
import { openNominatim } from './nominatim.ts';
import { openPhoton } from './photon.ts';

/**
 * Opens the geocoder that the settings select.
 * @throws ConfigError if the selected geocoder needs ORDERS_GEOCODER_URL and it is not set.
 */
export const openGeocoder = (settings: {
  geocoder: 'gazetteer' | 'photon' | 'nominatim';
  geocoderUrl: string;
  geocoderTimeoutMs: number;
}): Geocoder => {
  if (settings.geocoder === 'gazetteer') return openGazetteer();
  if (settings.geocoderUrl === '')
    throw new ConfigError([`ORDERS_GEOCODER_URL is required for ${settings.geocoder}`]);
  return settings.geocoder === 'photon'
    ? openPhoton(settings.geocoderUrl, settings.geocoderTimeoutMs)
    : openNominatim(settings.geocoderUrl, settings.geocoderTimeoutMs);
};

export type { Geocoder, Place, StructuredAddress } from './geocoder.ts';
