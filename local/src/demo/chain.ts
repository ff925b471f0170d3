import { createHash } from 'node:crypto';

/** An entry of GET /orders/{id}/events (contract 2.4). */
export interface Entry {
  readonly id: string;
  readonly type: string;
  readonly internal_type: string;
  readonly ts_utc: string;
  readonly gps_lat: number | null;
  readonly gps_lng: number | null;
  readonly payload: unknown;
  readonly prev_event_hash: string;
  readonly event_hash: string;
}

/**
 * Recomputes a chain only from what the API returns, as any partner can (decision 30).
 * @returns the id of the first invalid entry, or undefined if all are valid.
 */
export const firstFault = (orderId: string, entries: readonly Entry[]): string | undefined => {
  let previous = sha256({ v: 'custody-genesis/1', order_id: orderId });
  for (const entry of entries) {
    const { id, type, internal_type, ts_utc, gps_lat, gps_lng, payload } = entry;
    const expected = sha256({
      v: 'custody-event/1',
      order_id: orderId,
      ...{ id, type, internal_type, ts_utc, gps_lat, gps_lng, payload },
      prev_event_hash: previous,
    });
    if (entry.prev_event_hash !== previous || entry.event_hash !== expected) return id;
    previous = expected;
  }
  return undefined;
};

const sha256 = (value: unknown): string =>
  createHash('sha256').update(canonical(value)).digest('hex');

/**
 * Returns JSON in the form of RFC 8785: members sorted by UTF-16 units, no spaces, numbers and
 * strings as JSON.stringify writes them.
 */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
};
