/** What a link for one order shows (decision 86). Pure. */
import { firstHolder, type Holder, holderAfter } from '@pto/custody-verifier/holder';
import { commandRows, orderCommands } from '@pto/proto/order-commands';
import type { HandoverPayload, ReadCondition } from '@pto/proto/payloads';
import { custodyStatuses } from '@pto/proto/vocabulary';
import type { entryJson } from './entry.ts';
import { kilometers, type Point } from './kilometers.ts';
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
/** Only then a link names a person. */
const withPerson: readonly string[] = custodyStatuses;

const delivery: ReadonlySet<string> = new Set([orderCommands.deliver.event.entry]);

/** Returns the time of the last entry of one of these types; null: there is none. */
const timeOf = (entries: readonly Entry[], types: ReadonlySet<string>): string | null =>
  entries.findLast(({ internal_type: type }) => types.has(type))?.ts_utc ?? null;

/** Returns the time of an order's last status; null for an order without entries. */
const statusSince = (entries: readonly Entry[]): string | null => timeOf(entries, statusEntries);

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

interface OpenIncident {
  readonly entry: number;
  readonly kind: string;
}
const isOfTemperature = (kind: string): boolean => kind === 'excursion' || kind === 'temperature';

/** When the last open incident was reported, and the kinds of all, temperature first; no escalation. */
const problemOf = (open: readonly OpenIncident[], entries: readonly Entry[]) => {
  const incidents = open.filter(({ kind }) => kind !== 'escalation');
  if (incidents.length === 0) return null;
  const kinds = incidents.map(({ entry, kind }) =>
    entries[entry - 1]?.internal_type === 'TEMPERATURE_EXCURSION' ? 'excursion' : kind,
  );
  return {
    at: entries[incidents.at(-1)!.entry - 1]?.ts_utc ?? null,
    kinds: [...new Set(kinds)].toSorted(
      (one, other) => Number(isOfTemperature(other)) - Number(isOfTemperature(one)),
    ),
  };
};

const carrying: readonly string[] = ['carrier', 'courier'];

/**
 * Who has the goods by the last handover, and who carries them. The other side's organization has no
 * name, and of persons only one who carries the goods.
 */
const holderOf = (entries: readonly Entry[], side: 'pickup' | 'dropoff') => {
  const { goods, stage, party, person, organization, driver } = entries.reduce<Holder>(
    holderAfter,
    firstHolder,
  );
  if (goods !== 'party') return { organization, person: driver };
  const { payload } = entries.findLast(({ internal_type: of }) => of === 'HANDOVER_RECORDED')!;
  if (carrying.includes((payload as HandoverPayload).to.role))
    return { organization: party, person };
  const isOther =
    side === 'pickup' ? stage === 'dropoff' : stage === 'pickup' || stage === 'return';
  return { organization: isOther ? '' : party, person: '' };
};

interface LinkOptions {
  readonly side: 'pickup' | 'dropoff';
  /** Of the side; null: there is none. */
  readonly code: string | null;
  readonly expiresAt: number;
  readonly now: number;
  readonly circle: LinkedCircle | null;
}

/** The statuses in which a driver is on the way to a side. */
const underWayTo: Readonly<Record<'pickup' | 'dropoff', readonly string[]>> = {
  pickup: ['DRIVER_ASSIGNED'],
  dropoff: ['PICKUP_STARTED', 'SEALED', 'IN_TRANSIT'],
};

/** Where a driver was: within 1 km of a center. */
export interface LinkedCircle extends Point {
  readonly at: string;
}

/** A circle in the form of the page. @param to the place of its side. */
const circleJson = ({ lat, lng, at }: LinkedCircle, to: Order['pickup_location']) => ({
  ...{ lat, lng, at, radius_m: 1000 },
  distance_km:
    typeof to?.lat === 'number' && typeof to.lng === 'number'
      ? Math.max(1, Math.ceil(kilometers({ lat, lng }, { lat: to.lat, lng: to.lng })))
      : null,
});

/**
 * Returns what the page of a link shows: its side's place and access note, and nothing of the other one;
 * of open incidents their kinds; no reference, goods, notes, price, seal or hash.
 * @param of the code is that of the side, the circle null if none is known; the end of the link itself
 *   and the present time are in ms since the epoch.
 */
export const linkedOrderJson = (order: Order, entries: readonly Entry[], of: LinkOptions) => {
  const { side, code, expiresAt, now, circle } = of;
  const holder = holderOf(entries, side);
  const location = side === 'pickup' ? order.pickup_location : order.dropoff_location;
  const since = statusSince(entries);
  const eta = side === 'pickup' ? order.pickup_eta : order.dropoff_eta;
  const end = Math.min(expiresAt, Date.parse(linksEndAt(order, entries) ?? '') || expiresAt);
  return {
    ...{ side, code },
    status: order.status,
    status_since: since,
    delivered_at: timeOf(entries, delivery),
    eta,
    eta_source: eta && order.eta_source,
    // a circle from before the status may be of another driver
    circle:
      circle && underWayTo[side].includes(order.status) && circle.at >= (since ?? '')
        ? circleJson(circle, location)
        : null,
    problem: problemOf(order.open_incidents, entries),
    place: location && placeOf(location),
    time_zone: timeZoneOf(location?.country),
    detail: side === 'pickup' ? order.pickup_detail : order.dropoff_detail,
    pickup_window_start: order.pickup_window_start,
    pickup_window_end: order.pickup_window_end,
    transport_organization: holder.organization || null,
    driver: withPerson.includes(order.status) ? holder.person || null : null,
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
