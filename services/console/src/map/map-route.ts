import { createLimit, openThread } from '@pto/concurrency';
import { type Request, type RequestHandler, Router } from 'express';
import { fail } from '../browser/fail.ts';
import type { Line, MapInput, Place } from './draw-map.ts';

const nameMax = 60;
/** Lines that the names of a ground keep away from. */
const linesMax = 60;
/** A map takes 10 to 60 ms of CPU time. */
const drawMaxMs = 5000;
/** A map that waits longer than some seconds is of no use: its page shows the words in its place. */
const waitingMax = 50;
const heapMaxMb = 128;
/** A page has one map; a session that requests more at once leaves the thread to the others. */
const perSession = { perOwner: 2, waitingMax: 8, waitMs: 5000 };

/** Returns the secret of the request's session; undefined if it has none that is valid. */
export type FindSession = (request: Request) => Promise<string | undefined>;

/**
 * `GET /map.svg?from=LAT,LNG,NAME&to=LAT,LNG,NAME&theme=light|dark`: a drawing of what the request
 * says, and nothing else; with `ground=WIDTHxHEIGHT` the ground between the
 * two places alone, whose names keep away from `lines=X,Y,X,Y;…` in pixels. It needs a session, so that nobody else can occupy the thread that draws.
 */
export const openMaps = () => {
  const thread = openThread<MapInput, string>({
    program: 'map-thread',
    source: new URL('map-thread.ts', import.meta.url),
    workMaxMs: drawMaxMs,
    waitingMax,
    heapMaxMb,
  });
  const limit = createLimit(perSession);
  /** Returns the route for one application. */
  const routeFor = (sessionOf: FindSession): RequestHandler =>
    Router().get('/map.svg', async (request, response) => {
      const left = new AbortController();
      response.once('close', () => left.abort());
      const session = await sessionOf(request);
      if (session === undefined)
        return fail(response, 401, 'unauthenticated', 'A map needs a session.');
      const { query } = request;
      const [from, to] = [placeOf(query.from), placeOf(query.to)];
      if (!from || !to)
        return fail(response, 400, 'invalid_argument', 'Send from and to as LAT,LNG,NAME.');
      const slot = await limit.acquire(session, left.signal);
      if (typeof slot === 'string')
        return fail(response, 429, 'resource_exhausted', 'Other maps of this session are drawn.');
      const theme = query.theme === 'dark' ? 'dark' : 'light';
      const ground = sizeOf(query.ground);
      const lines = linesOf(query.lines);
      const drawn = await thread.run({ from, to, theme, ground, lines }).finally(slot);
      response
        .set({
          'Content-Type': 'image/svg+xml',
          'Content-Security-Policy': "default-src 'none'; sandbox",
          'Cache-Control': 'private, max-age=86400, immutable',
        })
        .end(drawn);
    });
  return { routeFor, stop: () => thread.stop() };
};

/** Up to 999 pixels each way. */
const sizeOf = (given: unknown): MapInput['ground'] => {
  const [, width, height] = /^(\d{3})x(\d{3})$/.exec(`${given}`) ?? [];
  return width === undefined ? undefined : [Number(width), Number(height)];
};

/** The first ones, in pixels of up to 3 digits; what is none is left out. */
const linesOf = (given: unknown): readonly Line[] =>
  [
    ...`${given}`
      .slice(0, linesMax * 16)
      .matchAll(/(\d{1,3}),(\d{1,3}),(\d{1,3}),(\d{1,3})(?=;|$)/g),
  ].map(([, ...numbers]) => numbers.map(Number) as unknown as Line);

const placeOf = (given: unknown): Place | undefined => {
  const [, lat, lng, name = ''] =
    /^(-?\d{1,2}(?:\.\d{1,12})?),(-?\d{1,3}(?:\.\d{1,12})?),(.*)$/su.exec(`${given}`) ?? [];
  const place = { lat: Number(lat), lng: Number(lng), name: [...name].slice(0, nameMax).join('') };
  const isOnEarth = Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180;
  return lat !== undefined && isOnEarth ? place : undefined;
};
