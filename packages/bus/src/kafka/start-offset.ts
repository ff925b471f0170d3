/** What is known of one partition when a member starts to read it. */
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
  /** Where to read on. */
  readonly next: bigint;
  /** Offsets of messages that nobody has handled and nobody can read. */
  readonly lost?: { readonly from: bigint; readonly to: bigint };
  /** The offsets start again: the topic was deleted and created again, or lost its newest messages. */
  readonly restarted?: true;
  /** The committed offset is beyond messages that were not handled. */
  readonly skipped?: true;
}

/**
 * Returns where a member reads on, so that no readable message is left out: at the committed offset,
 * unless the service has handled less. Messages that are read again have no second effect.
 */
export const startOffset = ({ committed, handled, low, high }: Known): Start => {
  const known = handled ?? committed;
  if (known === undefined) return { next: low };
  if (known > high) return { next: low, restarted: true };
  // a deleted topic takes the group's offsets with it: what is there may be another topic
  if (known < low) return { next: low, lost: { from: known, to: low } };
  if (committed === undefined || committed < low) return { next: low };
  return committed > known ? { next: known, skipped: true } : { next: committed };
};
