import type { DatabaseClock } from '../../database-clock.ts';
import type { SealedRow } from '../../secrets/signing-keys.ts';

/** A leased delivery: until the lease ends, no other process may attempt it. */
export interface Claimed {
  readonly deliveryId: string;
  readonly endpointId: string;
  readonly generation: number;
  /**
   * Number of this attempt, from 1, lost ones included. Together with the owner it identifies the
   * lease.
   */
  readonly number: number;
  /** Number of this attempt in the retry schedule, which leaves out the first five lost leases. */
  readonly scheduled: number;
  /** Number of leases of the delivery that ended without a recorded result. */
  readonly lost: number;
  /** Whether the last lease before this one ended without a recorded result. */
  readonly wasLost: boolean;
  /** When the first attempt of the schedule began; milliseconds since the epoch, by `clock`. */
  readonly firstAttemptAt: number;
  /** When the delivery was queued; milliseconds since the epoch, by `clock`. */
  readonly createdAt: number;
  /** Whether this is a replay: an earlier delivery sent the event to the endpoint. */
  readonly again: boolean;
  /** The clock of the database, read in the claim. */
  readonly clock: DatabaseClock;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
  readonly event: string;
  readonly payload: Buffer;
  /** The event's number in the endpoint's stream; 0 if it has none. */
  readonly sequence: number;
}
