/** Decision 57: a budget holds over any 60 s. */
export const budgetWindowMs = 60_000;

/** A budget after a request: what both stores return. */
export interface Usage {
  /** Whether the request was granted; always false for a request that only looks. */
  readonly granted: boolean;
  /** Requests granted within the last window. */
  readonly used: number;
  /** Until the next request can be granted; 0 if it can be now. At most the window. */
  readonly nextInMs: number;
  /** Until no granted request is within the window any more. At most the window. */
  readonly fullInMs: number;
}
