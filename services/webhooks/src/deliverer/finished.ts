import type { AttemptError } from '../posting/outcome.ts';
import type { Verdict } from './verdict.ts';

/** An ended attempt with its verdict, or a verdict without an attempt. */
export interface Finished {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly urlVersion: number;
  readonly number: number;
  /**
   * Null if no request was sent: the last attempt of the schedule was lost, or the endpoint was
   * deleted, disabled or BROKEN before the start.
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
