/** Bounds of a concurrency limit, which hold for each name separately. */
export interface ConcurrencyBounds {
  /** Slots: at most so many tasks run at once. */
  readonly inFlightMax: number;
  /** At most so many more wait for a slot. */
  readonly waitingMax: number;
  /** A slot is waited for at most this long. */
  readonly waitMs: number;
}

interface Group {
  inFlight: number;
  /** Waiting tasks, oldest first. Each takes the slot it is given. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many tasks of one name run at once (decision 56). Names share nothing: a full group
 * never delays another. A released slot goes to the task of its group that has waited longest.
 * p-queue was considered: it has no bound and no deadline for waiting tasks.
 */
export const createConcurrencyLimit = ({ inFlightMax, waitingMax, waitMs }: ConcurrencyBounds) => {
  const groups = new Map<string, Group>();

  /** Returns the function that releases a slot; calls after the first do nothing. */
  const slotOf = (name: string, group: Group): (() => void) => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const [next] = group.waiting;
      if (next) next();
      else if (--group.inFlight === 0) groups.delete(name);
    };
  };

  const wait = (group: Group, name: string, signal: AbortSignal) =>
    new Promise<(() => void) | undefined>((resolve) => {
      const leave = () => {
        group.waiting.delete(take);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
      };
      const take = () => {
        leave();
        resolve(slotOf(name, group));
      };
      const giveUp = () => {
        leave();
        resolve(undefined);
      };
      const timer = setTimeout(giveUp, waitMs);
      signal.addEventListener('abort', giveUp);
      group.waiting.add(take);
    });

  return {
    /**
     * Takes a slot of the name's group.
     * @param signal aborted when the caller no longer needs the slot: its place is freed.
     * @returns the function that releases the slot; undefined without a slot after `waitMs`, after
     *   the abort, or at once if too many wait.
     */
    acquire: async (name: string, signal: AbortSignal): Promise<(() => void) | undefined> => {
      if (signal.aborted) return undefined;
      const group = groups.get(name) ?? { inFlight: 0, waiting: new Set() };
      groups.set(name, group);
      if (group.inFlight < inFlightMax) {
        group.inFlight++;
        return slotOf(name, group);
      }
      return group.waiting.size < waitingMax ? wait(group, name, signal) : undefined;
    },
  };
};

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>;
