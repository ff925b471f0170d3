import { ConfigError } from '@pto/config';
import type { Point } from '@pto/representation';
import type { Telemetry } from '@pto/telemetry';
import { fetchJson, urlUnder } from '../fetch-json.ts';
import { estimateSeconds } from './travel-time.ts';

/** A travel time in s, and how it was found. */
export interface TravelTime {
  readonly seconds: number;
  readonly source: 'router' | 'estimate';
}

/** Returns the travel time between two places; it never fails. @param atMs departure. */
export type Travel = (
  from: Point & { readonly country: string },
  to: Point,
  atMs: number,
  signal: AbortSignal,
) => Promise<TravelTime>;

/** A request to a routing engine, and the seconds of its response. */
interface Engine {
  request(from: Point, to: Point): { path: string; body?: object };
  read(response: never): unknown;
}

const osrm: Engine = {
  request: (from, to) => ({
    path: `route/v1/driving/${from.lng},${from.lat};${to.lng},${to.lat}?overview=false`,
  }),
  read: ({ code, routes }: { code?: unknown; routes?: readonly { duration?: unknown }[] }) =>
    code === 'Ok' ? routes?.[0]?.duration : undefined,
};

const valhalla: Engine = {
  request: (from, to) => ({
    path: 'route',
    body: {
      locations: [from, to].map(({ lat, lng }) => ({ lat, lon: lng })),
      ...{ costing: 'auto', directions_type: 'none' },
    },
  }),
  read: ({ trip }: { trip?: { status?: unknown; summary?: { time?: unknown } } }) =>
    trip?.status === 0 ? trip.summary?.time : undefined,
};

const engines = { osrm, valhalla };

/** Requests in flight; beyond them a travel time is estimated at once. */
const inFlightMax = 8;
/** A travel time beyond a week is no answer. */
const secondsMax = 7 * 86_400;

/**
 * Opens the routing engine that the settings select; the empty one estimates. What fails, is too
 * slow or finds no way is estimated.
 * @throws ConfigError if the selected engine needs ORDERS_ROUTER_URL and it is not set.
 */
export const openRouter = (
  settings: {
    readonly router: '' | keyof typeof engines;
    readonly routerUrl: string;
    readonly routerTimeoutMs: number;
  },
  { log }: Pick<Telemetry, 'log'>,
): Travel => {
  const estimate = (...[from, to, atMs]: Parameters<Travel>): TravelTime => ({
    seconds: estimateSeconds(from, to, atMs),
    source: 'estimate',
  });
  const { router, routerUrl, routerTimeoutMs } = settings;
  if (router === '') return async (...way) => estimate(...way);
  if (routerUrl === '') throw new ConfigError([`ORDERS_ROUTER_URL is required for ${router}`]);
  const { request, read } = engines[router];
  let inFlight = 0;
  return async (...way) => {
    if (inFlight >= inFlightMax) return estimate(...way);
    const [from, to, , signal] = way;
    inFlight++;
    try {
      const { path, body } = request(from, to);
      const response = await fetchJson(urlUnder(routerUrl, path), routerTimeoutMs, signal, body);
      const seconds = read(response as never);
      if (typeof seconds === 'number' && seconds >= 0 && seconds <= secondsMax)
        return { seconds: Math.round(seconds), source: 'router' };
    } catch (error) {
      // its message may have the URL, and so the position: the kind alone is logged
      log.warn({ reason: (error as Error).name }, 'no travel time by the router: it is estimated');
    } finally {
      inFlight--;
    }
    return estimate(...way);
  };
};
