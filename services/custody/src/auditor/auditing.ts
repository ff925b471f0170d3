import type { Anchor } from '../anchor/anchor.ts';
import type { Verifier } from '../verification/verify-orders.ts';

/** What every part of an audit uses. */
export interface Auditing extends Verifier {
  readonly anchor: Anchor;
  readonly stopping: AbortSignal;
  /** Called after each page with the number of entries that were verified. */
  readonly verified: (entries: number) => void;
}
