import type { Claimed } from './claim.ts';

/** One attempt: in the air until it is answered or given up, and landed once that is recorded. */
export interface Flight {
  readonly claimed: Claimed;
  readonly ended: AbortController;
  readonly answered: Promise<void>;
  readonly landed: Promise<void>;
}

/** The attempts in flight of this process. */
export interface Flights {
  /** In the air. */
  readonly size: number;
  /** Answered, and not recorded yet. */
  readonly landing: number;
  /** @param answered called when there is a place again. */
  add(flight: Flight, answered: () => void): void;
  /** How many are in the air, by endpoint. */
  counts(): ReadonlyMap<string, number>;
  /** Gives up every attempt of which the endpoint and the epoch it was queued in are recalled. */
  recall(isRecalled: (endpointId: string, epoch: number) => boolean): void;
  /** When all that are in flight now have landed. */
  landed(): Promise<void>;
}

export const createFlights = (): Flights => {
  const flights = new Set<Flight>();
  const counts = new Map<string, number>();
  let size = 0;
  const count = (endpointId: string, by: 1 | -1) => {
    const now = (counts.get(endpointId) ?? 0) + by;
    if (now === 0) counts.delete(endpointId);
    else counts.set(endpointId, now);
  };
  return {
    get size() {
      return size;
    },
    get landing() {
      return flights.size - size;
    },
    add: (flight, answered) => {
      const { endpointId } = flight.claimed;
      flights.add(flight);
      size++;
      count(endpointId, 1);
      flight.answered.then(() => {
        size--;
        count(endpointId, -1);
        answered();
      });
      flight.landed.then(() => flights.delete(flight));
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
