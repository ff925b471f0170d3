import type { Claimed } from './claim.ts';

/** One attempt in the air. */
export interface Flight {
  readonly claimed: Claimed;
  readonly ended: AbortController;
  readonly landed: Promise<void>;
}

/** The attempts in flight of this process. */
export interface Flights {
  readonly size: number;
  add(flight: Flight): void;
  delete(flight: Flight): void;
  /** How many, by endpoint. */
  counts(): ReadonlyMap<string, number>;
  /** Gives up every attempt of which the endpoint and the epoch it was queued in are recalled. */
  recall(isRecalled: (endpointId: string, epoch: number) => boolean): void;
  /** When all that are in flight now have landed. */
  landed(): Promise<void>;
}

export const createFlights = (): Flights => {
  const flights = new Set<Flight>();
  const counts = new Map<string, number>();
  const count = (endpointId: string, by: 1 | -1) => {
    const now = (counts.get(endpointId) ?? 0) + by;
    if (now === 0) counts.delete(endpointId);
    else counts.set(endpointId, now);
  };
  return {
    get size() {
      return flights.size;
    },
    add: (flight) => {
      flights.add(flight);
      count(flight.claimed.endpointId, 1);
    },
    delete: (flight) => {
      if (flights.delete(flight)) count(flight.claimed.endpointId, -1);
    },
    counts: () => counts,
    recall: (isRecalled) => {
      for (const { claimed, ended } of flights)
        if (isRecalled(claimed.endpointId, claimed.epoch)) ended.abort();
    },
    landed: async () => {
      await Promise.all([...flights].map(({ landed }) => landed));
    },
  };
};
