/** Bounds of a limit. Weights are numbers of one unit, such as tasks or bytes. */
export interface Bounds {
  /** Maximum weight of the running tasks of one owner; a single task may weigh as much. */
  readonly perOwner: number;
  /** Maximum weight of all running tasks; absent: owners do not share. */
  readonly capacity?: number;
  /**
   * Part of the capacity for owners that hold nothing, one task of each; `perOwner` fits beside it. So
   * those who hold all else, for however long, do not keep out others.
   */
  readonly reserved?: number;
  /** Maximum number of waiting tasks of one name. */
  readonly waitingMax: number;
  /** Maximum time in ms that a task waits, unless its caller states less. */
  readonly waitMs: number;
}

/** What a task takes of a limit. */
export interface Task {
  /** At most `perOwner` and `capacity`; default 1. */
  readonly weight?: number | undefined;
  /** Maximum wait in ms, if less than `waitMs`. */
  readonly ms?: number | undefined;
  /**
   * Whose part the name takes: names of one owner together hold at most `perOwner`, but the first task
   * of one does not wait for the tasks of another. Default: the name.
   */
  readonly owner?: string | undefined;
}

/** Why a task did not start: the queue is full, the wait was too long, or the signal was aborted. */
export type NotStarted = 'full' | 'late' | 'aborted';

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
 * Limits the weight of the tasks that run in this process (decisions 56, 76). When weight becomes
 * free, the name that holds the least, its owner's weight included, starts its oldest task, and names
 * that hold the same take turns; a heavy task waits until it fits, and none of another name starts
 * before it. So no name keeps another out by many tasks or by light ones. p-queue was considered: it
 * bounds neither the number of waiting tasks nor their waiting time.
 */
export const createLimit = (bounds: Bounds) => {
  const {
    perOwner,
    capacity = Number.POSITIVE_INFINITY,
    reserved = 0,
    waitingMax,
    waitMs,
  } = bounds;
  const groups = new Map<string, Group>();
  /** The groups with waiting tasks; the one that released last is the last. */
  const queued = new Set<Group>();
  /** What owners hold, by owner; none is 0. */
  const byOwner = new Map<string, number>();
  let held = 0;

  const heldBy = (owner: string): number => byOwner.get(owner) ?? 0;

  const rankOf = ({ owner, held: own }: Group): number => heldBy(owner) + own;

  const hold = (group: Group, weight: number): void => {
    held += weight;
    group.held += weight;
    byOwner.set(group.owner, heldBy(group.owner) + weight);
    if (heldBy(group.owner) === 0) byOwner.delete(group.owner);
  };

  /** Returns the function that releases the weight. Later calls of it do nothing. */
  const take = (name: string, group: Group, weight: number): (() => void) => {
    let isReleased = false;
    hold(group, weight);
    return () => {
      if (isReleased) return;
      isReleased = true;
      hold(group, -weight);
      // names that hold the same start in turn
      if (queued.delete(group)) queued.add(group);
      startNext();
      forgetEmpty(name, group);
    };
  };

  const forgetEmpty = (name: string, group: Group): void => {
    if (group.held === 0 && group.waiting.size === 0) groups.delete(name);
  };

  /** Returns whether nothing but weight that others hold keeps the task from its start. */
  const mayStart = (group: Group, weight: number): boolean =>
    group.held === 0 || heldBy(group.owner) + weight <= perOwner;

  const fits = ({ owner }: Group, weight: number): boolean =>
    held + weight <= (heldBy(owner) === 0 ? capacity : capacity - reserved);

  /** Returns the name that is next, of those whose oldest task may start, with that task. */
  const next = (): [Group, Waiting] | undefined => {
    let found: [Group, Waiting] | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const group of queued) {
      const [first] = group.waiting;
      const rank = rankOf(group);
      if (!first || rank >= least || !mayStart(group, first.weight)) continue;
      [found, least] = [[group, first], rank];
    }
    return found;
  };

  const startNext = (): void => {
    for (let first = next(); first && fits(first[0], first[1].weight); first = next())
      first[1].start();
  };

  const wait = (name: string, group: Group, weight: number, signal: AbortSignal, ms: number) =>
    new Promise<(() => void) | NotStarted>((resolve) => {
      const leave = (result: (() => void) | NotStarted) => {
        group.waiting.delete(waiting);
        if (group.waiting.size === 0) queued.delete(group);
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        resolve(result);
      };
      const waiting = { weight, start: () => leave(take(name, group, weight)) };
      const stop = (reason: NotStarted) => {
        leave(reason);
        startNext(); // a lighter task may have waited behind this one
        forgetEmpty(name, group);
      };
      const giveUp = () => stop('aborted');
      const timer = setTimeout(() => stop('late'), ms);
      signal.addEventListener('abort', giveUp);
      group.waiting.add(waiting);
      queued.add(group);
    });

  /**
   * Takes weight for a task, or waits for it.
   * @param signal aborted when the caller no longer needs it; the task then leaves the queue.
   * @returns the function that releases the weight; `late` if none became free in time, `aborted`
   *   if the signal was aborted, or, without waiting, `full` if `waitingMax` tasks wait.
   */
  const acquire = async (
    name: string,
    signal: AbortSignal,
    { weight = 1, ms = waitMs, owner = name }: Task = {},
  ): Promise<(() => void) | NotStarted> => {
    if (signal.aborted) return 'aborted';
    const group = groups.get(name) ?? { owner, held: 0, waiting: new Set() };
    const isFirst = group.waiting.size === 0 && mayStart(group, weight);
    const before = next();
    const isNext = isFirst && fits(group, weight) && (!before || rankOf(group) < rankOf(before[0]));
    if (!isNext && group.waiting.size >= waitingMax) return 'full';
    groups.set(name, group);
    return isNext ? take(name, group, weight) : wait(name, group, weight, signal, ms);
  };

  return {
    /** Returns whether tasks of other names wait for weight that is not their own. */
    isWaitedFor: (name: string): boolean =>
      [...queued].some((group) => {
        const [first] = group.waiting;
        return group !== groups.get(name) && first !== undefined && mayStart(group, first.weight);
      }),
    acquire,
    /**
     * Runs work with its weight.
     * @param rejected returns the error that is thrown if the work does not start.
     */
    run: async <T>(
      name: string,
      signal: AbortSignal,
      work: () => Promise<T>,
      { rejected, ...task }: Task & { readonly rejected: (reason: NotStarted) => Error },
    ): Promise<T> => {
      const release = await acquire(name, signal, task);
      if (typeof release === 'string') throw rejected(release);
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
};
