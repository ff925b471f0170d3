import type { Entry } from '@pto/proto/custody/v1/custody';
import type { Disclosure } from '@pto/proto/orders/v1/orders';

/** Returns the part of a custody entry's JSON (contract 2.4) that its hash covers. */
export const hashedEntryJson = (entry: Entry) => ({
  id: entry.id,
  type: entry.type,
  internal_type: entry.internalType,
  ts_utc: entry.tsUtc,
  gps_lat: entry.gpsLat ?? null,
  gps_lng: entry.gpsLng ?? null,
  payload: entry.payloadJson === '' ? null : payloadOf(entry.payloadJson),
  prev_event_hash: entry.prevEventHash,
  event_hash: entry.eventHash,
});

/** A tampered payload that is no JSON stays a text, which fits no chain. */
const payloadOf = (json: string) => {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
};

/** Disclosed values by the number of their entry. */
export type DisclosedValues = ReadonlyMap<number, readonly Disclosure[]>;

/** Returns an order's disclosed values by the number of their entry. */
export const disclosedValues = (disclosures: readonly Disclosure[]): DisclosedValues =>
  Map.groupBy(disclosures, ({ entry }) => entry);

/**
 * Returns a custody entry as partners see it (contract 2.4): with all values that its hash covers,
 * and with the values of its personal fields.
 */
export const entryJson = (entry: Entry, disclosed: DisclosedValues) => ({
  ...hashedEntryJson(entry),
  disclosed: Object.fromEntries(
    (disclosed.get(entry.sequence) ?? []).map(({ field, valueJson, salt }) => [
      field,
      { value: JSON.parse(valueJson), salt },
    ]),
  ),
});
