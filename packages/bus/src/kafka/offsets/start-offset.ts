/** The offsets of one partition when a member starts to read it. */
export interface Known {
  /** Kafka's committed offset of the group; undefined without one. */
  readonly committed: bigint | undefined;
  /** The offset after the last message that the service has handled; undefined if it stores none. */
  readonly handled: bigint | undefined;
  /** The oldest readable offset. */
  readonly low: bigint;
  /** The offset after the newest readable message. */
  readonly high: bigint;
}

export interface Start {
  /** The offset at which the member continues. */
  readonly next: bigint;
  /** Range of offsets of messages that were not handled and can no longer be read. */
  readonly lost?: { readonly from: bigint; readonly to: bigint };
  /**
   * The offsets start again: the topic was deleted and created again, or lost its newest messages.
   */
  readonly restarted?: true;
  /** The committed offset is after messages that the service has not handled. */
  readonly skipped?: true;
}

/**
 * Returns the offset at which a member continues without skipping a readable message: the committed
 * offset, an earlier one if the service has handled less, or the oldest readable one if the group
 * has no committed offset in the range. Messages that are read again have no second effect.
 */
export const startOffset = ({ committed, handled, low, high }: Known): Start => {
  const known = handled ?? committed;
  if (known === undefined) return { next: low };
  if (known > high) return { next: low, restarted: true };
  if (known < low) return { next: low, lost: { from: known, to: low } };
  // deleting a topic deletes the group's offsets: this may be another topic of the same name
  if (committed === undefined || committed < low) return { next: low };
  return committed > known ? { next: known, skipped: true } : { next: committed };
};
