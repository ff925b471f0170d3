import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import { batch, removeExpired } from './repeatable.ts';

const everyMs = 600_000;
const retryMs = 60_000;

/**
 * Removes the ids of commands that were stored for `keepMs`: at the start and every 10 min. Several
 * replicas may do so at once.
 */
export const startCommandExpiry = (db: Database, keepMs: number, telemetry: Telemetry): Worker =>
  startWorker({
    tick: async () => ((await removeExpired(db, keepMs)) === batch ? 0 : everyMs),
    failed: (err, failures) => {
      telemetry.log.error({ err, failures }, 'expired ids of commands were not removed');
      return retryMs;
    },
  });
