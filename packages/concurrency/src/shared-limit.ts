import type { NoSlot } from './concurrency-limit.ts';

/** Bounds of a limit that all names share. Weights are numbers of one unit, such as bytes. */
export interface SharedBounds {
  /** Maximum weight of all tasks that run at the same time. */
  readonly capacity: number;
  /** Maximum weight of the running tasks of one name; a single task may weigh as much. */
  readonly perName: number;
  /** Maximum number of waiting tasks of one name. */
  readonly waitingMax: number;
  /** Maximum time in ms that a task waits, unless its caller states less. */
  readonly waitMs: number;
}

interface Waiting {
  readonly weight: number;
  start(): void;
}

interface Group {
  held: number;
  /** Waiting tasks, oldest first. */
  readonly waiting: Set<Waiting>;
}

/**
 * Limits the weight of the tasks that run in this process (decision 76). When weight becomes free,
 * the name that holds the least starts its oldest task, and names that hold the same take turns; a heavy task waits until it fits, and none of
 * another name starts before it. So no name keeps another out by many tasks or by light ones.
 */
export const createSharedLimit = ({ capacity, perName, waitingMax, waitMs }: SharedBounds) => {
  const groups = new Map<string, Group>();
  let held = 0;

  const take = (name: string, group: Group, weight: number): (() => void) => {
    let isReleased = false;
    held += weight;
    group.held += weight;
    return () => {
      if (isReleased) return;
      isReleased = true;
      held -= weight;
      group.held -= weight;
      // names that hold the same start in turn
      groups.delete(name);
      groups.set(name, group);
      startNext();
      forgetEmpty(name, group);
    };
  };

  const forgetEmpty = (name: string, group: Group): void => {
    if (group.held === 0 && group.waiting.size === 0) groups.delete(name);
  };

  /** Returns the oldest task of the name that holds the least, of those that may hold more. */
  const next = (): Waiting | undefined => {
    let found: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const group of groups.values()) {
      const [first] = group.waiting;
      if (!first || group.held + first.weight > perName || group.held >= least) continue;
      [found, least] = [first, group.held];
    }
    return found;
  };

  const startNext = (): void => {
    for (let first = next(); first && held + first.weight <= capacity; first = next())
      first.start();
  };

  return {
    /** Returns whether a task waits, of any name. */
    isWaitedFor: (): boolean => [...groups.values()].some(({ waiting }) => waiting.size > 0),
    /**
     * Takes weight for a task, or waits for it.
     * @param weight at most `perName` and `capacity`.
     * @param signal aborted when the caller no longer needs it.
     * @returns the function that releases the weight; else the reason, as `createConcurrencyLimit`.
     */
    acquire: (
      name: string,
      weight: number,
      signal: AbortSignal,
      ms = waitMs,
    ): Promise<(() => void) | NoSlot> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve('aborted');
        const group = groups.get(name) ?? { held: 0, waiting: new Set() };
        if (group.waiting.size >= waitingMax) return resolve('full');
        groups.set(name, group);
        const leave = (result: (() => void) | NoSlot) => {
          group.waiting.delete(waiting);
          clearTimeout(timer);
          signal.removeEventListener('abort', giveUp);
          resolve(result);
        };
        const waiting = { weight, start: () => leave(take(name, group, weight)) };
        const stop = (reason: NoSlot) => {
          leave(reason);
          startNext(); // a lighter task may have waited behind this one
          forgetEmpty(name, group);
        };
        const giveUp = () => stop('aborted');
        const timer = setTimeout(() => stop('late'), ms);
        signal.addEventListener('abort', giveUp);
        group.waiting.add(waiting);
        startNext();
      }),
  };
};
