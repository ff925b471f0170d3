import type { DatabaseClock } from '../../database-clock.ts';
import type { SealedRow } from '../../secrets/signing-keys.ts';

/** A leased delivery: until the lease ends, no other process may attempt it. */
export interface Claimed {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly generation: number;
  /**
   * Number of this attempt, from 1; attempts of lost leases are counted. The number and the owner
   * together identify the lease.
   */
  readonly number: number;
  /** Number of this attempt in the retry schedule; the first five lost leases are not counted. */
  readonly scheduled: number;
  /** Number of leases of the delivery that ended without a recorded result. */
  readonly lost: number;
  /** Whether the last lease before this one ended without a recorded result. */
  readonly wasLost: boolean;
  /**
   * When the first attempt of the schedule was leased; milliseconds since the epoch, database time.
   */
  readonly firstAttemptAt: number;
  /** When the delivery was queued; milliseconds since the epoch, database time. */
  readonly createdAt: number;
  /**
   * Whether an earlier delivery has the same event and endpoint: this is a replay or a recovery.
   */
  readonly again: boolean;
  /** A clock that continues from the database's time in the claim. */
  readonly clock: DatabaseClock;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Buffer;
  /** The event's number in the endpoint's stream; 0 if it has none. */
  readonly sequence: number;
}
