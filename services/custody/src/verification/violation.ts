/**
 * A contradiction in the ledger: a state that no interleaving of correct processes can produce
 * (decision 53). An event that custody has not stored yet is a delay and never a violation.
 */
export interface Violation {
  /** Empty where no single order is concerned. */
  readonly orderId: string;
  /** Empty where no single entry is concerned. */
  readonly entryId: string;
  /** A sentence for people. */
  readonly reason: string;
}

/** A violation of the log itself, which concerns no single order. */
export const logViolation = (reason: string): Violation => ({ orderId: '', entryId: '', reason });

/** Equal for the same contradiction found twice. */
export const identityOf = ({ orderId, entryId, reason }: Violation): string =>
  JSON.stringify([orderId, entryId, reason]);
