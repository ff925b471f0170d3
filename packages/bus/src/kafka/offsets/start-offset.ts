/** The offsets of one partition when a member starts to read it. */
export interface Known {
  /** The group's committed offset in Kafka; undefined if there is none. */
  readonly committed: bigint | undefined;
  /**
   * The offset after the last message that the service has handled; undefined if the service has
   * stored no offset.
   */
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
 * Returns the offset at which a member continues, so that it skips no readable message. This is the
 * committed offset; or the service's stored offset, if that is lower; or the oldest readable
 * offset, if the group has no committed offset or these offsets are outside of the partition's
 * range. Messages that are read again have no second effect.
 */
export const startOffset = ({ committed, handled, low, high }: Known): Start => {
  const known = handled ?? committed;
  if (known === undefined) return { next: low };
  if (known > high) return { next: low, restarted: true };
  if (known < low) return { next: low, lost: { from: known, to: low } };
  // Without a committed offset, this may be a new topic of the same name: deleting a topic deletes
  // the group's committed offsets.
  if (committed === undefined || committed < low) return { next: low };
  return committed > known ? { next: known, skipped: true } : { next: committed };
};
