import { openThread } from '@pto/concurrency';
import { type RequestHandler, Router } from 'express';
import { fail } from '../browser/fail.ts';
import type { MapInput, Place } from './draw-map.ts';

const nameMax = 60;
/** A map takes 10 to 60 ms of CPU time. */
const drawMaxMs = 5000;
/** A map that waits longer than some seconds is of no use: its page shows the words in its place. */
const waitingMax = 50;
const heapMaxMb = 128;

/**
 * `GET /map.svg?from=LAT,LNG,NAME&to=LAT,LNG,NAME&theme=light|dark`: a drawing of what the request
 * says, and nothing else. It reads no order, so it needs no session. A thread draws, so a flood of
 * maps delays maps alone.
 */
export const mapRoute = (): { handler: RequestHandler; stop(): Promise<void> } => {
  const thread = openThread<MapInput, string>({
    program: 'map-thread',
    source: new URL('map-thread.ts', import.meta.url),
    workMaxMs: drawMaxMs,
    waitingMax,
    heapMaxMb,
  });
  const handler = Router().get('/map.svg', async ({ query }, response) => {
    const [from, to] = [placeOf(query.from), placeOf(query.to)];
    if (!from || !to)
      return fail(response, 400, 'invalid_argument', 'Send from and to as LAT,LNG,NAME.');
    const drawn = await thread.run({ from, to, theme: query.theme === 'dark' ? 'dark' : 'light' });
    response
      .set({
        'Content-Type': 'image/svg+xml',
        'Content-Security-Policy': "default-src 'none'; sandbox",
        'Cache-Control': 'private, max-age=86400, immutable',
      })
      .end(drawn);
  });
  return { handler, stop: () => thread.stop() };
};

const placeOf = (given: unknown): Place | undefined => {
  const [, lat, lng, name = ''] =
    /^(-?\d{1,2}(?:\.\d{1,12})?),(-?\d{1,3}(?:\.\d{1,12})?),(.*)$/su.exec(`${given}`) ?? [];
  const place = { lat: Number(lat), lng: Number(lng), name: [...name].slice(0, nameMax).join('') };
  const isOnEarth = Math.abs(place.lat) <= 90 && Math.abs(place.lng) <= 180;
  return lat !== undefined && isOnEarth ? place : undefined;
};
