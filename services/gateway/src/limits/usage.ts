/**
 * Length of a budget's window in ms: a budget limits the requests granted within any 60 s (decision
 * 57).
 */
export const budgetWindowMs = 60_000;

/** A budget's state after a request, as both stores return it. */
export interface Usage {
  /** Whether the request was granted; always false if the usage was read with cost 0. */
  readonly granted: boolean;
  /** Requests granted within the last window. */
  readonly used: number;
  /** Milliseconds until the next request can be granted; 0 if it can be now. At most the window. */
  readonly nextInMs: number;
  /** Milliseconds until no granted request is within the window any more. At most the window. */
  readonly fullInMs: number;
}
