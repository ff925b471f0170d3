import type { LogSizes } from './stored-checkpoints.ts';

/**
 * Maximum pause in ms. A contradiction between the log and a signed checkpoint is found after at most
 * this time, however rarely checkpoints are signed.
 */
const pauseMaxMs = 1000;

/**
 * Returns a function that tells how long no checkpoint can be signed, because the newest one, of
 * whichever replica, is younger than the interval. A sequencer need not read the anchor before, and
 * signs as soon as the time has passed.
 * @param intervalMs minimum time between two checkpoints.
 */
export const checkpointPause = (intervalMs: number, now = () => performance.now()) => {
  let known: number | null = null;
  let endsAt = Number.NEGATIVE_INFINITY;
  /**
   * Returns the time in ms, 0 if a checkpoint may be signed now or no leaf waits for one. Call it
   * with the newest sizes: the pause begins when it first sees a checkpoint over more leaves.
   */
  return ({ leaves, signed }: LogSizes): number => {
    if (known !== null && signed > known) endsAt = now() + Math.min(intervalMs, pauseMaxMs);
    known = signed;
    return leaves > signed ? Math.max(0, endsAt - now()) : 0;
  };
};
