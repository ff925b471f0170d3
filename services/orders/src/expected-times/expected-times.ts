/** The expected times that an order shows (decision 87). Pure. */
import { type EtaSource, type Expected, nextStop } from '../domain/expected-time.ts';
import type { OrderStatus } from '../domain/order.ts';
import { estimateSeconds } from './travel-time.ts';

export interface Place {
  readonly lat?: number | null | undefined;
  readonly lng?: number | null | undefined;
  readonly country: string;
}

/** Times are `YYYY-MM-DDTHH:mm:ss.sssZ`; null: nothing is expected, or nothing is known. */
export interface ExpectedTimes {
  readonly pickupEta: string | null;
  readonly dropoffEta: string | null;
  readonly etaSource: EtaSource | null;
}

const none: ExpectedTimes = { pickupEta: null, dropoffEta: null, etaSource: null };
/** Time at the pick-up until the transport starts, in s: goods are identified, sealed, handed over. */
export const handlingSeconds = 15 * 60;
const minuteMs = 60_000;

/** An estimate has no seconds: it is rounded up to the minute. */
export const toMinute = (ms: number): string =>
  new Date(Math.ceil(ms / minuteMs) * minuteMs).toISOString();

/**
 * Returns the expected times of an order. They follow from the stored order alone, and not from the
 * clock: the order's text changes with its `updated_at` only, and a replayed response stays true.
 */
export const expectedTimes = (
  order: {
    readonly status: string;
    readonly pickupWindowStart: string;
    readonly updatedAt: string;
    readonly expected: Expected | null;
  },
  pickup: Place,
  dropoff: Place,
): ExpectedTimes => {
  const status = order.status as OrderStatus;
  const { expected } = order;
  const stop = nextStop(status);
  if (stop === undefined) return none;
  const reported = expected?.reported?.stop === stop ? expected.reported : null;
  const changedMs = Date.parse(order.updatedAt);
  const arrival = (leaveMs: number): string | null => {
    const seconds = expected?.leg ?? secondsBetween(pickup, dropoff, leaveMs);
    return seconds === null ? null : toMinute(leaveMs + seconds * 1000);
  };
  if (stop === 'pickup') {
    const pickupMs = reported
      ? Date.parse(reported.at)
      : Math.max(changedMs, Date.parse(order.pickupWindowStart));
    return {
      pickupEta: reported?.at ?? toMinute(pickupMs),
      dropoffEta: arrival(pickupMs + handlingSeconds * 1000),
      etaSource: reported?.source ?? 'estimate',
    };
  }
  const leaveMs =
    status === 'IN_TRANSIT' && expected?.departed
      ? Date.parse(expected.departed)
      : changedMs + handlingLeft(status) * 1000;
  const dropoffEta = reported?.at ?? arrival(leaveMs);
  return {
    pickupEta: null,
    dropoffEta,
    etaSource: dropoffEta === null ? null : (reported?.source ?? 'estimate'),
  };
};

/** Returns the time that a driver still spends at the pick-up, in s. */
export const handlingLeft = (status: OrderStatus): number =>
  status === 'PICKUP_STARTED' ? handlingSeconds : 0;

/** Returns an estimated travel time in s; null: a place has no coordinates. */
const secondsBetween = (from: Place, to: Place, atMs: number): number | null =>
  isPoint(from) && isPoint(to) ? estimateSeconds(from, to, atMs) : null;

export const isPoint = <P extends Place>(
  place: P,
): place is P & { readonly lat: number; readonly lng: number } =>
  typeof place.lat === 'number' && typeof place.lng === 'number';
