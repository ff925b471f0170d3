/** The expected times that an order shows (decision 87). Pure. */
import { nextStopOf } from '@pto/proto/order-commands';
import type { EtaSource, Expected } from '../domain/expected-time.ts';
import type { OrderStatus } from '../domain/order.ts';
import { estimateSeconds } from './travel-time.ts';

export interface Place {
  readonly lat?: number | null | undefined;
  readonly lng?: number | null | undefined;
  readonly country: string;
}

/** Times are `YYYY-MM-DDTHH:mm:ss.sssZ`; null: nothing is expected, or nothing is known. */
interface ExpectedTimes {
  readonly pickupEta: string | null;
  readonly dropoffEta: string | null;
  readonly etaSource: EtaSource | null;
}

const none: ExpectedTimes = { pickupEta: null, dropoffEta: null, etaSource: null };
const minuteMs = 60_000;
/** From the arrival at the pick-up to the transport's start: identify, seal and hand over goods. */
const wholeHandlingMs = 15 * minuteMs;

/** Returns the time that a driver at the pick-up still spends there, in ms. */
export const handlingMs = (status: OrderStatus): number =>
  status === 'PICKUP_STARTED' ? wholeHandlingMs : 0;

/** An estimate has no seconds: it is rounded up to the minute. */
export const toMinute = (ms: number): string =>
  new Date(Math.ceil(ms / minuteMs) * minuteMs).toISOString();

export const isPoint = <P extends Place>(
  place: P,
): place is P & { readonly lat: number; readonly lng: number } =>
  typeof place.lat === 'number' && typeof place.lng === 'number';

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
  const { leg, departed, reported: last } = order.expected ?? {};
  const stop = nextStopOf(status);
  if (stop === undefined) return none;
  const reported = last?.stop === stop ? last : null;
  const etaSource = reported?.source ?? 'estimate';
  const arrival = (leaveMs: number): string | null => {
    const between = () =>
      isPoint(pickup) && isPoint(dropoff) ? estimateSeconds(pickup, dropoff, leaveMs) : null;
    const seconds = leg ?? between();
    return seconds === null ? null : toMinute(leaveMs + seconds * 1000);
  };
  if (stop === 'pickup') {
    const { updatedAt, pickupWindowStart } = order; // texts in this form sort by time
    const pickupEta =
      reported?.at ??
      (updatedAt > pickupWindowStart ? toMinute(Date.parse(updatedAt)) : pickupWindowStart);
    const leaveMs = Date.parse(pickupEta) + wholeHandlingMs;
    return { pickupEta, dropoffEta: arrival(leaveMs), etaSource };
  }
  const from = (status === 'IN_TRANSIT' && departed) || order.updatedAt;
  const dropoffEta = reported?.at ?? arrival(Date.parse(from) + handlingMs(status));
  return dropoffEta === null ? none : { pickupEta: null, dropoffEta, etaSource };
};
