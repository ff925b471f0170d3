/** What a link for one order shows (decision 86). Pure. */
import { firstHolder, type Holder, holderAfter } from '@pto/custody-verifier/holder';
import { commandRows } from '@pto/proto/order-commands';
import type { ReadCondition } from '@pto/proto/payloads';
import { custodyStatuses } from '@pto/proto/vocabulary';
import type { entryJson } from './entry.ts';
import type { locationJson, orderJson } from './order.ts';
import { timeZoneOf } from './time-zone.ts';

type Entry = ReturnType<typeof entryJson>;
type Order = ReturnType<typeof orderJson>;

/** A link ends so long after its order. */
const afterEndMs = 24 * 3_600_000;

/** Internal types of the entries after which an order has another status. */
const statusEntries: ReadonlySet<string> = new Set(
  commandRows.flatMap(({ change, event }) => (change.to === 'same' ? [] : [event.entry])),
);
/** Only then a link names the driver. */
const withDriver: readonly string[] = custodyStatuses;

/** Returns the time of an order's last status; null for an order without entries. */
const statusSince = (entries: readonly Entry[]): string | null =>
  entries.findLast(({ internal_type: type }) => statusEntries.has(type))?.ts_utc ?? null;

/**
 * Returns when an order's links end: 24 h after its end, at its erasure at once. Null: it has not ended.
 */
export const linksEndAt = (
  { status, updated_at }: Pick<Order, 'status' | 'updated_at'>,
  entries: readonly Entry[],
): string | null => {
  const erased = entries.find(({ internal_type: type }) => type === 'PERSONAL_DATA_ERASED');
  if (erased) return erased.ts_utc;
  if (status !== 'CLOSED' && status !== 'CANCELLED') return null;
  // a DRAFT that was cancelled may have no entry
  const endedAt = statusSince(entries) ?? updated_at;
  return new Date(Date.parse(endedAt) + afterEndMs).toISOString();
};

const placeOf = ({ label, street, zip, city, country }: ReturnType<typeof locationJson>) => ({
  ...{ label, street, zip, city, country },
});

/** The last recorded readings, of the time in custody alone if their entry says it (decision 78). */
const readingsOf = (entries: readonly Entry[]) => {
  const entry = entries.findLast(({ internal_type: type }) => type === 'CONDITION_RECORDED');
  if (!entry) return null;
  const condition = entry.payload as ReadCondition;
  const judged = condition.custody ? condition.custody.covered : condition;
  if (!judged) return null;
  const { limit_min, limit_max, excursion_count } = condition;
  const isLimited = limit_min !== null || limit_max !== null;
  return {
    ...{ from: judged.from, to: judged.to, minimum: judged.minimum, maximum: judged.maximum },
    unit: condition.unit,
    within_limits: isLimited ? excursion_count === 0 : null,
  };
};

/**
 * Returns what the page of a link shows: its side's place and access note, and nothing of the other one;
 * no reference, goods, notes, price, incident, seal or hash.
 * @param expiresAt the end of the link itself, in ms since the epoch.
 */
export const linkedOrderJson = (
  order: Order,
  entries: readonly Entry[],
  { side, expiresAt, now }: { side: 'pickup' | 'dropoff'; expiresAt: number; now: number },
) => {
  const holder = entries.reduce<Holder>(holderAfter, firstHolder);
  const location = side === 'pickup' ? order.pickup_location : order.dropoff_location;
  const end = Math.min(expiresAt, Date.parse(linksEndAt(order, entries) ?? '') || expiresAt);
  return {
    side,
    status: order.status,
    status_since: statusSince(entries),
    place: location && placeOf(location),
    time_zone: timeZoneOf(location?.country),
    detail: side === 'pickup' ? order.pickup_detail : order.dropoff_detail,
    pickup_window_start: order.pickup_window_start,
    pickup_window_end: order.pickup_window_end,
    transport_organization: holder.organization || null,
    driver: withDriver.includes(order.status) ? holder.driver || null : null,
    temperature_min: order.temperature_min,
    temperature_max: order.temperature_max,
    readings: readingsOf(entries),
    has_certificate: order.status === 'CLOSED',
    expires_at: new Date(end).toISOString(),
    as_of: new Date(now).toISOString(),
  };
};

/** What the page of a link reads. */
export type LinkedOrder = ReturnType<typeof linkedOrderJson>;
