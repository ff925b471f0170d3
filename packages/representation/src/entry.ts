import type { Entry } from '@pto/proto/custody/v1/custody';

/** Returns the part of a custody entry's JSON (contract 2.4) that its hash covers. */
export const hashedEntryJson = (entry: Entry) => ({
  id: entry.id,
  type: entry.type,
  internal_type: entry.internalType,
  ts_utc: entry.tsUtc,
  gps_lat: entry.gpsLat ?? null,
  gps_lng: entry.gpsLng ?? null,
  payload: entry.payloadJson === '' ? null : JSON.parse(entry.payloadJson),
  prev_event_hash: entry.prevEventHash,
  event_hash: entry.eventHash,
});
