import { Gauge, type Telemetry } from '@pto/telemetry';
import type { LogSizes } from './stored-checkpoints.ts';

/** Measures how long leaves have waited for a signed and anchored checkpoint that covers them. */
export interface Unanchored {
  /**
   * Ends the wait if `sizes.signed` covers its leaves, and begins a wait if the log has leaves that
   * no checkpoint covers. Call it when all checkpoints are anchored.
   */
  anchored(sizes: LogSizes): void;
  /**
   * Begins a wait if none is in progress. Call it when it is unknown which checkpoints are
   * anchored.
   */
  failed(): void;
}

export const watchUnanchored = ({ metrics }: Telemetry): Unanchored => {
  /**
   * Time of `performance.now()` at which the wait began, and the number of leaves of the log at
   * that time: a checkpoint that covers them ends the wait. Null if no leaf waits.
   */
  let waiting: { leaves: number; since: number } | null = null;
  new Gauge({
    name: 'custody_log_unanchored_seconds',
    help: 'How long entries have waited for a checkpoint over them outside of the database',
    registers: [metrics],
    collect() {
      this.set(waiting ? (performance.now() - waiting.since) / 1000 : 0);
    },
  });
  return {
    anchored: ({ leaves, signed }) => {
      if (waiting && signed >= waiting.leaves) waiting = null;
      if (leaves > signed) waiting ??= { leaves, since: performance.now() };
    },
    failed: () => {
      waiting ??= { leaves: 0, since: performance.now() };
    },
  };
};
