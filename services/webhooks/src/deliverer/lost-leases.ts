import type { Logger } from '@pto/telemetry';
import type { Lease } from './claim-sql.ts';

/**
 * The pauses after lost leases: leases that ended without a recorded result, because their process
 * died or could not record (docs/decisions/lost-leases.md). Milliseconds, from the end of the
 * lease.
 *
 * | Lost lease | Pause | Attempt of the schedule |
 * |---|---|---|
 * | 1 | none | not counted |
 * | 2 | 30 s | not counted |
 * | 3 | 2 min | not counted |
 * | 4 | 10 min | not counted |
 * | 5 | 30 min | not counted |
 * | 6 and later | the schedule's wait | counted |
 */
export const lostPausesMs: readonly number[] = [0, 30_000, 120_000, 600_000, 1_800_000];

/**
 * Number of lost leases from which a delivery is suspect: its attempts may end the process. Suspect
 * deliveries are logged and counted in a metric.
 */
export const suspectFrom = 3;

const suspected = `deliveries lost their lease ${suspectFrom} times or more: check for processes that crash`;

/** Counts the claimed deliveries whose previous lease was lost, and logs the suspect ones. */
export const reportLost = (
  claimed: readonly Lease[],
  metrics: { lost(count: number): void },
  log: Logger,
): void => {
  const lost = claimed.filter(({ wasLost }) => wasLost);
  if (lost.length > 0) metrics.lost(lost.length);
  const suspects = lost.filter((one) => one.lost >= suspectFrom);
  if (suspects.length === 0) return;
  const deliveries = suspects.map(({ deliveryId, endpointId, lost }) => {
    return { deliveryId, endpointId, lost };
  });
  log.warn({ deliveries }, suspected);
};
