/**
 * A contradiction in the ledger: a state that no interleaving of correct processes can produce
 * (decision 53). An event that custody has not stored yet is a delay and never a violation.
 */
export interface Violation {
  /** Empty if the violation concerns no single order. */
  readonly orderId: string;
  /** Empty if the violation concerns no single entry. */
  readonly entryId: string;
  /** A sentence for operators. */
  readonly reason: string;
}

/** Creates a violation of the log, which concerns no single order. */
export const logViolation = (reason: string): Violation => ({ orderId: '', entryId: '', reason });

/** Returns the identity of a violation: equal if the same contradiction is found twice. */
export const identityOf = ({ orderId, entryId, reason }: Violation): string =>
  JSON.stringify([orderId, entryId, reason]);
