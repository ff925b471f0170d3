import type { Usage } from './usage.ts';

/**
 * A sliding window in this process's memory: the time of each granted request is stored until it is
 * one window old. So no window, wherever it begins, holds more than the limit. Pure: the caller
 * gives the time.
 * @param namesMax names stored at once; beyond that the name unused for longest is dropped.
 */
export const createSlidingWindow = ({
  windowMs,
  namesMax,
}: {
  windowMs: number;
  namesMax: number;
}) => {
  /** Times of granted requests, oldest first, by name; the name unused for longest first. */
  const timesOf = new Map<string, number[]>();

  /** Removes names without a time in the window. Two per call outpace the one that a call adds. */
  const sweep = (oldest: number): void => {
    for (let n = 0; n < 2; n++) {
      const [first] = timesOf;
      if (first && (timesOf.size > namesMax || first[1].at(-1)! <= oldest))
        timesOf.delete(first[0]);
    }
  };

  return {
    /**
     * @param cost 1 takes one request out of the budget if it can be granted; 0 only looks.
     * @param now milliseconds of a clock that never goes back.
     */
    use: (name: string, limit: number, cost: 0 | 1, now: number): Usage => {
      const times = timesOf.get(name) ?? [];
      const first = times.findIndex((time) => time > now - windowMs);
      times.splice(0, first < 0 ? times.length : first);
      const granted = cost === 1 && times.length < limit;
      if (granted) times.push(now);
      timesOf.delete(name); // so that it moves to the end
      if (times.length > 0) timesOf.set(name, times);
      sweep(now - windowMs);
      const used = times.length;
      const until = (time: number | undefined) => (time ?? now - windowMs) + windowMs - now;
      return {
        granted,
        used,
        nextInMs: used < limit ? 0 : until(times[used - limit]),
        fullInMs: until(times.at(-1)),
      };
    },
    /** Names stored at present. */
    size: () => timesOf.size,
  };
};
