/** What the workload has seen from outside: the whole input of the invariants. Plain data. */
import type { ChainEntry } from '@pto/custody-verifier';
import type { Invocation } from './history.ts';

/** One order that the workload tried to create. */
export interface SlotSeen {
  /** The `external_id`, and the first Idempotency-Key. */
  readonly name: string;
  /** Order ids in responses of 201. */
  readonly ids: readonly string[];
  /** Bodies of the responses of 201 to the first Idempotency-Key. */
  readonly responses: readonly string[];
  readonly history: readonly Invocation[];
}

/** One order as the API shows it at the end. */
export interface OrderSeen {
  readonly id: string;
  readonly externalId: string | null;
  readonly status: string;
  readonly updatedAt: string;
  /** The number of events, as the operator sees it. */
  readonly sequence: number;
  readonly chain: readonly (ChainEntry & { readonly payload: unknown })[];
  /** The verdict on the proof file with the log's keys as trusted keys. */
  readonly proof: string;
}

export interface DeliverySeen {
  readonly delivery: string;
  readonly orderId: string;
  /** The order's event number. */
  readonly sequence: number;
  /** The number in the endpoint's stream. */
  readonly stream: number;
  readonly signed: boolean;
  readonly bytes: string;
}

/** One endpoint without event filter, with all that reached its receivers. */
export interface EndpointSeen {
  readonly name: string;
  readonly deliveries: readonly DeliverySeen[];
  /** Ids of deliveries that a request of the workload caused: replays. */
  readonly replays: number;
  /** Whether the workload requested recovery of missed events, which makes new deliveries. */
  readonly recovered: boolean;
}

/** One traversal by `updated_since`. */
export interface PollSeen {
  readonly startedAt: number;
  /** Order id to `updated_at`. */
  readonly shown: Readonly<Record<string, string>>;
}

/** One traversal of all orders, page by page. */
export interface WalkSeen {
  readonly startedAt: number;
  readonly ids: readonly string[];
}

/** An acknowledged change: whoever polls from then on must see this or a later time. */
export interface ChangeSeen {
  readonly orderId: string;
  readonly updatedAt: string;
  /** When the response came, by the clock of `PollSeen.startedAt`. */
  readonly returnedAt: number;
}

export interface ProcessSeen {
  readonly name: string;
  readonly pid: number;
  readonly rssMaxBytes: number;
}

export interface Observation {
  readonly slots: readonly SlotSeen[];
  readonly orders: readonly OrderSeen[];
  readonly endpoints: readonly EndpointSeen[];
  readonly polls: readonly PollSeen[];
  readonly walks: readonly WalkSeen[];
  readonly changes: readonly ChangeSeen[];
  readonly processes: readonly ProcessSeen[];
  /** `ledger verify` and `ledger violations`, one line each. */
  readonly ledgerFaults: readonly string[];
  /** Messages that a consumer parked, one line each. */
  readonly deadLetters: readonly string[];
  /** Responses that the contract does not have for the request, one line each. */
  readonly unexpected: readonly string[];
  /** What did not come in time after healing, one line each. */
  readonly notConverged: readonly string[];
}

/** A promise of the system that the observation contradicts. */
export interface Violation {
  readonly invariant: string;
  readonly detail: string;
}

/** @returns one line per contradiction. */
export type Invariant = (seen: Observation) => readonly string[];
