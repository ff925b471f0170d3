import type { NoSlot } from './concurrency-limit.ts';

/** Bounds of a limit that all names share. Weights are numbers of one unit, such as bytes. */
export interface SharedBounds {
  /** Maximum weight of all tasks that run at the same time. */
  readonly capacity: number;
  /** Maximum weight of the running tasks of one owner; a single task may weigh as much. */
  readonly perOwner: number;
  /**
   * Part of the capacity for owners that hold nothing, one task of each; `perOwner` fits beside it. So
   * those who hold all else, for however long, do not keep out others.
   */
  readonly reserved: number;
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
  readonly owner: string;
  held: number;
  /** Waiting tasks, oldest first. */
  readonly waiting: Set<Waiting>;
}

/**
 * Limits the weight of the tasks that run in this process (decision 76). When weight becomes free,
 * the name that holds the least, its owner's weight included, starts its oldest task, and names that
 * hold the same take turns; a heavy task waits until it fits, and none of another name starts before
 * it. So no name keeps another out by many tasks or by light ones.
 */
export const createSharedLimit = (bounds: SharedBounds) => {
  const { capacity, perOwner, reserved, waitingMax, waitMs } = bounds;
  const groups = new Map<string, Group>();
  /** What owners hold, by owner; none is 0. */
  const byOwner = new Map<string, number>();
  let held = 0;

  const heldBy = (owner: string): number => byOwner.get(owner) ?? 0;

  const hold = (group: Group, weight: number): void => {
    held += weight;
    group.held += weight;
    byOwner.set(group.owner, heldBy(group.owner) + weight);
    if (heldBy(group.owner) === 0) byOwner.delete(group.owner);
  };

  const take = (name: string, group: Group, weight: number): (() => void) => {
    let isReleased = false;
    hold(group, weight);
    return () => {
      if (isReleased) return;
      isReleased = true;
      hold(group, -weight);
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

  /** Returns whether nothing but weight that others hold keeps the task from its start. */
  const mayStart = (group: Group, { weight }: Waiting): boolean =>
    group.held === 0 || heldBy(group.owner) + weight <= perOwner;

  const fits = ({ owner }: Group, { weight }: Waiting): boolean =>
    held + weight <= (heldBy(owner) === 0 ? capacity : capacity - reserved);

  /** Returns the name that is next, of those whose oldest task may start, with that task. */
  const next = (): [Group, Waiting] | undefined => {
    let found: [Group, Waiting] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const group of groups.values()) {
      const [first] = group.waiting;
      const rank = heldBy(group.owner) + group.held;
      if (!first || rank >= least || !mayStart(group, first)) continue;
      [found, least] = [[group, first], rank];
    }
    return found;
  };

  const startNext = (): void => {
    for (let first = next(); first && fits(...first); first = next()) first[1].start();
  };

  return {
    /** Returns whether tasks of other names wait for weight that is not their own. */
    isWaitedFor: (name: string): boolean =>
      [...groups].some(([other, group]) => {
        const [first] = group.waiting;
        return other !== name && first !== undefined && mayStart(group, first);
      }),
    /**
     * Takes weight for a task, or waits for it.
     * @param weight at most `perOwner` and `capacity`.
     * @param signal aborted when the caller no longer needs it.
     * @param owner whose part the name takes: names of one owner together hold at most `perOwner`,
     *   but the first task of one does not wait for the tasks of another.
     * @returns the function that releases the weight; else the reason, as `createConcurrencyLimit`.
     */
    acquire: (
      name: string,
      weight: number,
      signal: AbortSignal,
      ms = waitMs,
      owner = name,
    ): Promise<(() => void) | NoSlot> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve('aborted');
        const group = groups.get(name) ?? { owner, held: 0, waiting: new Set() };
        if (group.waiting.size >= waitingMax) return resolve('full');
        groups.set(name, group);
        let timer: NodeJS.Timeout | undefined;
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
        group.waiting.add(waiting);
        startNext();
        if (!group.waiting.has(waiting)) return; // started at once, as almost every body is
        timer = setTimeout(() => stop('late'), ms);
        signal.addEventListener('abort', giveUp);
      }),
  };
};
