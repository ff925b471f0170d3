import type { Anchor } from '../anchor/anchor.ts';
import type { Verifier } from '../verification/verify-orders.ts';

/** The dependencies of all parts of an audit. */
export interface Auditing extends Verifier {
  readonly anchor: Anchor;
  readonly stopping: AbortSignal;
  /** Counts verified entries for the metric; called after each page. */
  readonly verified: (entries: number) => void;
}
