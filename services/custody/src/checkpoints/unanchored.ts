import { Gauge, type Telemetry } from '@pto/telemetry';
import type { LogSizes } from './checkpoints.ts';

/** Watches how long leaves wait for a checkpoint over them that is signed and anchored. */
export interface Unanchored {
  /** All that is signed is anchored. */
  anchored(sizes: LogSizes): void;
  /** Nobody knows what is anchored. */
  failed(): void;
}

export const watchUnanchored = ({ metrics }: Telemetry): Unanchored => {
  /** So many leaves were there at that moment, and were not all anchored; ms since the epoch. */
  let waiting: { leaves: number; since: number } | null = null;
  new Gauge({
    name: 'custody_log_unanchored_seconds',
    help: 'How long entries have waited for a checkpoint over them outside of the database',
    registers: [metrics],
    collect() {
      this.set(waiting ? (Date.now() - waiting.since) / 1000 : 0);
    },
  });
  return {
    anchored: ({ leaves, signed }) => {
      if (waiting && signed >= waiting.leaves) waiting = null;
      if (leaves > signed) waiting ??= { leaves, since: Date.now() };
    },
    failed: () => {
      waiting ??= { leaves: 0, since: Date.now() };
    },
  };
};
