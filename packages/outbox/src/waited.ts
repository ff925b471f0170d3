import type { Backlog } from './unsent.ts';

/** Beyond these every second mark is dropped: long waits are measured less exactly than short ones. */
const marksMax = 256;

/**
 * For how many milliseconds the oldest row waits at least, out of repeated looks at one outbox. A row
 * has no time of its own, and its event's id may be much older: custody's rows bear the ids of the
 * orders' events, so that catching up after an outage would look like an outage. Instead each look
 * leaves a mark, the newest row and the time; whatever is not newer than a mark waits since then.
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
