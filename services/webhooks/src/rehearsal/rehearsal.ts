/** Rehearsals of deliveries: what a partner may ask for in the sandbox (decision 67). Pure. */

/** The faults on the way to a receiver, in the order in which responses list them. */
export const rehearsalFaults = ['duplicate', 'late', 'reorder'] as const;
export type RehearsalFault = (typeof rehearsalFaults)[number];

export const speedMax = 60;
export const rehearsalMaxMs = 86_400_000;

/** An endpoint's last rehearsal, as a statement returns it. */
export interface StoredRehearsal {
  readonly speed: number;
  readonly faults: readonly string[];
  /** Milliseconds since the epoch, database time. */
  readonly endsAt: number;
}

/** The part of a rehearsal that changes deliveries. */
export interface Rehearsal {
  /** The waits of the retry schedule are divided by it; 1 to 60. */
  readonly speed: number;
  readonly faults: readonly string[];
}

const none: Rehearsal = { speed: 1, faults: [] };

/** Returns the rehearsal that is active at a time, in milliseconds since the epoch. */
export const rehearsalAt = (stored: StoredRehearsal | null | undefined, now: number): Rehearsal =>
  stored && now < stored.endsAt ? stored : none;

/**
 * Whether a delivery was queued before the end of its endpoint's last rehearsal, which may have held
 * it back: the delay of its first attempt says nothing about the service.
 */
export const wasQueuedInRehearsal = (delivery: {
  readonly rehearsal?: StoredRehearsal | null;
  readonly createdAt: number;
}): boolean => delivery.rehearsal != null && delivery.createdAt < delivery.rehearsal.endsAt;

/** Milliseconds for which `late` holds a delivery back, divided by the speed. */
const lateMs = 30_000;
/** Milliseconds for which `reorder` waits for the next delivery of the stream at most. */
export const reorderMaxMs = 120_000;
/** Milliseconds from the due time of the later delivery to that of the earlier one. */
const reorderGapMs = 2000;

/** A queued delivery of an endpoint with a rehearsal. */
export interface Queued {
  readonly organizationId: string;
  readonly id: string;
  readonly endpointId: string;
  /** The event's number in the endpoint's stream. */
  readonly sequence: number;
}

/** A delivery that is due `waitMs` after its queueing. */
export interface Hold {
  readonly organizationId: string;
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly waitMs: number;
  /** Whether later deliveries of its order overtake it. */
  readonly isOvertaken: boolean;
}

/** A delivery that was held back earlier, and whose successor is queued now. */
export interface Release {
  readonly organizationId: string;
  readonly endpointId: string;
  readonly waitMs: number;
}

/**
 * Returns what the faults `late` and `reorder` hold back. `reorder` exchanges the odd number of a
 * stream and the even one after it: the odd delivery waits for the even one, and is due 2 s after
 * it, or after 2 minutes without it.
 * @param queued deliveries of one transaction. @param rehearsals active ones, by endpoint id.
 */
export const heldBack = (
  queued: readonly Queued[],
  rehearsals: ReadonlyMap<string, Rehearsal>,
): { readonly holds: readonly Hold[]; readonly releases: readonly Release[] } => {
  const numbers = new Set(queued.map(({ endpointId, sequence }) => `${endpointId} ${sequence}`));
  const holds: Hold[] = [];
  const releases: Release[] = [];
  for (const { organizationId, id: deliveryId, endpointId, sequence } of queued) {
    const { speed, faults } = rehearsals.get(endpointId) ?? none;
    const late = faults.includes('late') ? lateMs / speed : 0;
    const isReordered = faults.includes('reorder');
    const isOvertaken = isReordered && sequence % 2 === 1;
    const hasSuccessor = numbers.has(`${endpointId} ${sequence + 1}`);
    const wait = hasSuccessor ? late + reorderGapMs : late + reorderMaxMs;
    const waitMs = isOvertaken ? wait : late;
    if (waitMs > 0) holds.push({ organizationId, deliveryId, endpointId, waitMs, isOvertaken });
    if (isReordered && !isOvertaken && !numbers.has(`${endpointId} ${sequence - 1}`))
      releases.push({ organizationId, endpointId, waitMs: late + reorderGapMs });
  }
  return { holds, releases };
};
