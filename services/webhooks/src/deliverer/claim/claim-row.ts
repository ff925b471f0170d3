import type { SealedRow } from '../../secrets/signing-keys.ts';

/**
 * The row of `claimSql` about the endpoints that the claim read. `held` has the endpoints of the
 * selected deliveries.
 */
export interface Looked {
  readonly looked: {
    /** Time of the database in milliseconds since the epoch. */
    readonly now: number;
    readonly count: number;
    readonly last: string | null;
    /** Whether one of the endpoints has a due delivery that no process leases. */
    readonly left: boolean;
    readonly held: readonly HeldEndpoint[] | null;
  };
}

export interface HeldEndpoint {
  readonly id: string;
  readonly generation: number;
  readonly url: string;
  readonly urlVersion: number;
  readonly secrets: readonly SealedRow[];
}

export interface Leased {
  readonly looked: null;
  readonly delivery_id: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly first_attempt_ms: number;
  readonly scheduled: number;
  readonly lost: number;
  readonly was_lost: boolean;
}

export const isLooked = (row: Looked | Leased): row is Looked => row.looked !== null;
