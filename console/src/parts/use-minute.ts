import { useSyncExternalStore } from 'react';
import { everySecond } from './time.tsx';

const minuteMs = 60_000;

/** Returns the beginning of the current minute, in ms since the epoch; draws again with each minute. */
export const useMinute = (): number =>
  useSyncExternalStore(everySecond, () => Math.floor(Date.now() / minuteMs) * minuteMs);
