import type { Backlog } from './unsent.ts';

/**
 * Maximum number of marks. Beyond it every second mark is dropped, so long waits are measured less
 * exactly.
 */
const marksMax = 256;

/**
 * Returns a function that estimates, from repeated reads of one outbox, for how many milliseconds
 * at least the oldest row has waited. A row does not store the time of its writing. The time in its
 * event's id may be much older: custody's rows have the ids of orders' events, so that time would
 * show the catch-up after an outage as an outage. Instead each read records a mark: the id of the
 * newest row and the time of the read. A row with an id up to that of a mark has waited at least
 * since the mark's time.
 */
export const waited = (): ((waiting: Backlog['waiting'], nowMs: number) => number) => {
  let marks: { newest: number; atMs: number }[] = [];
  return (waiting, nowMs) => {
    if (waiting === null) marks = [];
    else {
      marks = marks.filter(({ newest }) => newest >= waiting.oldest);
      if (marks.length === marksMax) marks = marks.filter((_, n) => n % 2 === 0);
      if (marks.at(-1)?.newest !== waiting.newest)
        marks.push({ newest: waiting.newest, atMs: nowMs });
    }
    return marks[0] ? Math.max(0, nowMs - marks[0].atMs) : 0;
  };
};
