/**
 * Minimum time between two rounds of batches while the topic is busy, in ms. A round costs the
 * processes and stores about as much for one message as for ten, so a busy consumer with small
 * rounds takes the cores from the work that callers wait for.
 */
const spaceMs = 25;
/** Number of messages in a round from which on the topic counts as busy. */
const busyFrom = 3;

/**
 * Spaces the rounds of a busy consumer. A round is all batches that begin within 25 ms. The consumer
 * fetches again only when all batches of its last fetch have ended, so a batch that waits delays
 * the next fetch, and messages that arrive meanwhile share it.
 */
export const batchSpacing = (now: () => number = () => performance.now()) => {
  let begunAt = Number.NEGATIVE_INFINITY;
  let messages = 0;
  return {
    /** Counts a batch that begins. */
    begin: (size: number): void => {
      if (now() - begunAt >= spaceMs) {
        begunAt = now();
        messages = 0;
      }
      messages += size;
    },
    /**
     * Returns the time in ms that a batch must still wait after its messages were handled; 0 for a
     * round of one or two messages, so that a topic with few messages has no delay.
     */
    waitMs: (): number => (messages < busyFrom ? 0 : Math.max(0, begunAt + spaceMs - now())),
  };
};
