import { useSyncExternalStore } from 'react';
import { countdown, placeTime } from './local-time.ts';
import { everySecond, exactTime } from './time.tsx';

/** A time by the clock of its place; in UTC when pointed at. */
export const PlaceTime = ({ at, country }: { at: string; country: string }) => (
  <time dateTime={at} title={exactTime(at)}>
    {useSyncExternalStore(everySecond, () => placeTime(at, country, Date.now()))}
  </time>
);

/** The time that is left until a moment, drawn again when its words change. */
export const Countdown = ({ at }: { at: string }) => (
  <span className={Date.parse(at) < Date.now() ? 'late' : ''}>
    {useSyncExternalStore(everySecond, () => countdown(at, Date.now()))}
  </span>
);
