import type { Database } from '@pto/database';
import type { Logger } from '@pto/telemetry';
import { endStale } from '../queue/end-stale.ts';
import { breakIfBroken, silentEndpoints } from './break-endpoint.ts';
import { type HealthRow, toHealth } from './health-row.ts';
import { type HealthLimits, isBroken, warningLevel } from './verdict.ts';
import { noteWarning } from './warn.ts';

export type FailedEndpoint = HealthRow & { readonly id: string };

const notJudged =
  'the endpoint could not be set to BROKEN; its health is judged again after the next failed attempt';
const notWarned =
  'a warning could not be queued; the endpoint is judged again after the next failed attempt';

/**
 * Makes endpoints BROKEN or queues warnings, by the endpoints' health. Ends the queued deliveries
 * of an endpoint that becomes BROKEN.
 */
export interface Judge {
  /**
   * Judges endpoints whose attempts have just failed. Never rejects: it logs its errors, and the
   * next failed attempt judges the endpoint again.
   */
  judge(failed: readonly FailedEndpoint[]): Promise<void>;
  /**
   * Makes endpoints BROKEN that have an exhausted delivery and had no success for
   * `brokenSilenceMs`, also if nothing is sent to them.
   */
  judgeSilent(): Promise<void>;
}

export const createJudge = (options: {
  db: Database;
  limits: HealthLimits;
  log: Logger;
  /** Called when an endpoint has become BROKEN, to count the endpoint. */
  broken: () => void;
}): Judge => {
  const { db, limits, log } = options;
  const breakEndpoint = async (id: string): Promise<void> => {
    if (!(await breakIfBroken(db, id, limits))) return;
    options.broken();
    log.warn(
      { endpointId: id },
      'the endpoint became BROKEN: nothing is sent to it until a handshake passes',
    );
    await endStale(db, id);
  };
  const warn = async (row: FailedEndpoint): Promise<void> => {
    const level = warningLevel(toHealth(row), limits);
    if (level <= row.warned_level) return;
    await noteWarning(db, row.id, level, (limits.brokenFailures * level) / 100);
  };
  return {
    judge: async (failed) => {
      const sick = failed.filter((row) => isBroken(toHealth(row), limits, row.now_ms));
      for (const { id } of sick)
        await breakEndpoint(id).catch((err) => log.warn({ err, endpointId: id }, notJudged));
      for (const row of failed)
        if (!sick.includes(row))
          await warn(row).catch((err) => log.warn({ err, endpointId: row.id }, notWarned));
    },
    judgeSilent: async () => {
      for (const id of await silentEndpoints(db, limits.brokenSilenceMs)) await breakEndpoint(id);
    },
  };
};
