/** Bounds of a concurrency limit. They apply to each name separately. */
export interface ConcurrencyBounds {
  /** Concurrency slots: the maximum number of tasks that run at the same time. */
  readonly inFlightMax: number;
  /** Maximum number of tasks that wait for a slot. */
  readonly waitingMax: number;
  /** Maximum time that a task waits for a slot, unless its caller states less. */
  readonly waitMs: number;
}

/** Why a task got no slot: the queue is full, the wait was too long, or the signal was aborted. */
export type NoSlot = 'full' | 'late' | 'aborted';

interface Group {
  inFlight: number;
  /** Waiting tasks, oldest first. Each function takes the slot for its task. */
  readonly waiting: Set<() => void>;
}

/**
 * Limits how many tasks of one name run at the same time (decision 56). The names have separate
 * slots, so tasks of one name never delay those of another. A released slot goes to the task of
 * that name that has waited longest. p-queue was considered: it bounds neither the number of
 * waiting tasks nor their waiting time.
 */
export const createConcurrencyLimit = ({ inFlightMax, waitingMax, waitMs }: ConcurrencyBounds) => {
  const groups = new Map<string, Group>();

  /** Returns the function that releases a slot. Later calls of that function do nothing. */
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

  const wait = (group: Group, name: string, signal: AbortSignal, ms: number) =>
    new Promise<(() => void) | NoSlot>((resolve) => {
      const leave = (result: (() => void) | NoSlot) => {
        group.waiting.delete(take);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(result);
      };
      const take = () => leave(slotOf(name, group));
      const giveUp = () => leave('aborted');
      const timer = setTimeout(() => leave('late'), ms);
      signal.addEventListener('abort', giveUp);
      group.waiting.add(take);
    });

  return {
    /**
     * Takes a slot of the name, or waits for one.
     * @param signal aborted when the caller no longer needs the slot; the caller then leaves the
     *   queue.
     * @param ms maximum wait, if less than `waitMs`.
     * @returns the function that releases the slot; `late` if no slot became free in that time,
     *   `aborted` if the signal was aborted, or, without waiting, `full` if `waitingMax` tasks
     *   already wait.
     */
    acquire: async (
      name: string,
      signal: AbortSignal,
      ms = waitMs,
    ): Promise<(() => void) | NoSlot> => {
      if (signal.aborted) return 'aborted';
      const group = groups.get(name) ?? { inFlight: 0, waiting: new Set() };
      if (group.inFlight >= inFlightMax)
        return group.waiting.size < waitingMax ? wait(group, name, signal, ms) : 'full';
      groups.set(name, group);
      group.inFlight++;
      return slotOf(name, group);
    },
  };
};
