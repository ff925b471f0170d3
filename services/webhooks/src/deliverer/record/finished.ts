import type { AttemptError } from '../../posting/outcome.ts';
import type { Verdict } from '../verdict.ts';

/** An ended attempt with its verdict, or a verdict without an attempt. */
export interface Finished {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly urlVersion: number;
  readonly number: number;
  /**
   * Null if no request was sent under this lease. Either lost leases used up the schedule, or the
   * attempt was recalled before its start: the endpoint was deleted, disabled or BROKEN.
   */
  readonly attempt: {
    readonly at: Date;
    readonly endedAt: Date;
    readonly statusCode: number | null;
    readonly error: AttemptError | null;
    readonly durationMs: number;
    /** Whether the attempt counts for the endpoint's health (decision 40). */
    readonly counts: boolean;
  } | null;
  readonly verdict: Verdict;
}
