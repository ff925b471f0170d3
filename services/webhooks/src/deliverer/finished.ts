import type { AttemptError } from '../posting/outcome.ts';
import type { Verdict } from './verdict.ts';

/** An ended attempt with its verdict. */
export interface Finished {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly urlVersion: number;
  readonly number: number;
  /** Null where no attempt was left to make: all of the schedule were begun, the last one was lost. */
  readonly attempt: {
    readonly at: Date;
    readonly endedAt: Date;
    readonly statusCode: number | null;
    readonly error: AttemptError | null;
    readonly durationMs: number;
    /** Whether it says something about the endpoint (decision 40). */
    readonly counts: boolean;
  } | null;
  readonly verdict: Verdict;
}
