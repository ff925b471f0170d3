import { createLimit, type NotStarted } from '@pto/concurrency';
import { Failure } from '@pto/errors';
import { Counter, type Telemetry } from '@pto/telemetry';
import { rateLimited } from './budgets.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Bytes of a body from which on its request is heavy; a body without a stated length is, too,
 * because its length is known only when it was read.
 */
export const heavyBodyBytes = 16 * 1024;

/** Maximum size of a body in bytes (decision 15), where the route does not state another. */
export const defaultMaxBytes = 256 * 1024;

/** Maximum number of waiting requests of one organization, in each of the limits below. */
const waitingMax = 64;
/**
 * Maximum time in ms that a request waits until its body is read, and then, from when the body has
 * arrived, until it has its slot and its turn.
 */
export const waitMs = 20_000;

const mib = 1024 * 1024;
/**
 * What bodies of each size take of this process (decision 76), until their response is sent.
 * - `memory`: their bytes. An organization's part has room for the heavy bodies of a key's 60 writes
 *   in a minute, and for twice as many light ones. 128 light bodies, 16 heavy ones and three files
 *   are reserved for organizations that hold none.
 * - `turn`: the work on them. A file is in memory four times and takes up to a second of CPU time in
 *   orders, so it waits longer.
 */
const bodies = {
  light: {
    memory: { capacity: 8 * mib, perOwner: 2 * mib, reserved: 2 * mib },
    turn: undefined,
  },
  heavy: {
    memory: { capacity: 32 * mib, perOwner: 16 * mib, reserved: 4 * mib },
    turn: { capacity: 1, perOwner: 1, waitMs },
  },
  file: {
    memory: { capacity: 48 * mib, perOwner: 24 * mib, reserved: 24 * mib },
    turn: { capacity: 2, perOwner: 1, waitMs: 60_000 },
  },
} as const;

/** Returns the row of a body's size in bytes. */
const kindOfBody = (size: number): keyof typeof bodies => {
  if (size > defaultMaxBytes) return 'file';
  return size > heavyBodyBytes ? 'heavy' : 'light';
};

/**
 * The slots of one organization in this replica. Lists of orders and files, lists of smaller rows,
 * requests with a heavy body, those that wait for a partner's receiver, and all others have their own,
 * so that no light request waits behind a heavy one or a slow receiver. As many go to receivers as a
 * key has writes in a minute (contract 8), because each may take 10 s.
 */
const lanes = {
  light: (inFlightMax: number) => inFlightMax,
  list: (inFlightMax: number) => inFlightMax,
  rows: (inFlightMax: number) => inFlightMax,
  // each holds a body, its values and its message
  heavy: (inFlightMax: number) => Math.max(1, inFlightMax / 2),
  receiver: (inFlightMax: number) => Math.max(60, inFlightMax),
} as const;

export type Lane = keyof typeof lanes;

/**
 * Maximum number of requests of one organization that wait outside of its slots, for events or for
 * the end of a move. When all are woken at once, they fit into the queue of their lane.
 */
export const placesMax = waitingMax;

const mapped = <Name extends string, Row, Value>(
  rows: Readonly<Record<Name, Row>>,
  value: (row: Row) => Value,
) =>
  Object.fromEntries(
    Object.entries<Row>(rows).map(([name, row]) => [name, value(row)]),
  ) as Readonly<Record<Name, Value>>;

/**
 * Admits the requests of organizations whose budgets have granted them, and rejects nothing of an
 * organization that stays within its budgets, except the 65th request that waits in one limit
 * (decision 66). One organization's requests do not delay another's; nor do those of its sessions of
 * the portal, which have slots of their own. What a request took is released when its handler has
 * ended and its response is sent or the connection is closed, so a client that disconnects early
 * cannot start more work than its slots allow. Bodies are read without a slot, because a slow network
 * would hold it for long; their bytes are bounded instead.
 * @param inFlightMax slots of each lane (`lanes`).
 */
export const createAdmission = (inFlightMax: number, telemetry: Telemetry) => {
  const slots = mapped(lanes, (slotsOf) =>
    createLimit({ perOwner: slotsOf(inFlightMax), waitingMax, waitMs }),
  );
  const memory = mapped(bodies, ({ memory: bounds }) =>
    createLimit({ ...bounds, waitingMax, waitMs }),
  );
  // every request that has a slot may wait for its turn
  const turnsMax = 4 * inFlightMax + lanes.receiver(inFlightMax);
  const turns = mapped(
    bodies,
    ({ turn }) => turn && createLimit({ ...turn, waitingMax: turnsMax }),
  );
  const places = createLimit({ perOwner: placesMax, waitingMax: 0, waitMs: 0 });
  const leftOf = (since: number) => Math.max(0, since + waitMs - performance.now());
  const rejections = new Counter({
    name: 'gateway_concurrency_rejections_total',
    help: 'Requests rejected because 64 requests of their organization waited in this replica',
    registers: [telemetry.metrics],
  });

  const rejected = (reason: NotStarted): Failure => {
    if (reason !== 'full')
      return new Failure(
        'SERVICE_UNAVAILABLE',
        'Earlier requests of your organization are still running.',
        { retryAfterSeconds: 1 },
      );
    rejections.inc();
    return rateLimited(
      { retryAfterSeconds: 1 },
      `${waitingMax} requests of your organization wait. Send fewer in parallel.`,
    );
  };

  /** Keeps what was taken with the request. @returns false if the connection has closed. */
  const isHeld = (
    context: RequestContext,
    hold: 'holdSlot' | 'holdMemory',
    taken: (() => void) | NotStarted,
  ): boolean => {
    if (typeof taken !== 'string') context[hold](taken);
    else if (!context.closed.aborted) throw rejected(taken);
    return !context.closed.aborted;
  };

  /**
   * Takes one of the organization's places outside of its slots, and releases the request's slot.
   * @returns the function that releases the place; null without a free one: the request keeps its
   *   slot.
   */
  const leave = async (
    context: RequestContext,
    signal = context.closed,
  ): Promise<(() => void) | null> => {
    const place = await places.acquire(context.credentials!.sharesSlotsAs, signal);
    if (typeof place === 'string') return null;
    context.releaseSlot();
    return place;
  };

  return {
    /**
     * Takes a slot of the lane for the request, or waits for one.
     * @param since when the request began to need it, as a time of `performance.now()`.
     * @returns false if the connection has closed.
     * @throws Failure RATE_LIMITED if 64 requests wait, SERVICE_UNAVAILABLE after 20 s
     */
    enter: async (context: RequestContext, lane: Lane, since = context.begun): Promise<boolean> => {
      const { sharesSlotsAs } = context.credentials!;
      const task = { ms: leftOf(since) };
      return isHeld(
        context,
        'holdSlot',
        await slots[lane].acquire(sharesSlotsAs, context.closed, task),
      );
    },
    leave,
    /**
     * Moves a light change that a move of its organization holds to a place outside of the slots, where
     * it stays until it ends. So it delays no read of an order. The other lanes keep their slots, which
     * bound the bodies in memory: other lists may wait for held polls by `updated_since`.
     */
    leaveWhileHeld: async (context: RequestContext, lane: Lane): Promise<void> => {
      const place = lane === 'light' ? await leave(context) : null;
      if (place) context.holdSlot(place);
    },
    /**
     * Holds the memory for a body, or waits for it.
     * @returns false if the connection has closed.
     * @throws Failure RATE_LIMITED if 64 bodies of the organization wait, SERVICE_UNAVAILABLE after
     *   20 s
     */
    holdBytes: async (context: RequestContext, size: number): Promise<boolean> => {
      const { sharesSlotsAs, organization } = context.credentials!;
      const task = { weight: size, owner: organization.id };
      const limit = memory[kindOfBody(size)];
      return isHeld(
        context,
        'holdMemory',
        await limit.acquire(sharesSlotsAs, context.closed, task),
      );
    },
    /** Returns whether others wait for the memory of bodies of this size, which they do not hold. */
    isWaitedFor: (context: RequestContext, size: number): boolean =>
      memory[kindOfBody(size)].isWaitedFor(context.credentials!.sharesSlotsAs),
    /**
     * Runs this process's own work on a body of a kind: at once if it is light, else in turns of
     * organizations.
     * @param since when the body had arrived, as a time of `performance.now()`.
     */
    inTurn: async <T>(
      context: RequestContext,
      kind: keyof typeof bodies,
      since: number,
      work: () => Promise<T>,
    ): Promise<T> => {
      const limit = turns[kind];
      if (!limit) return work();
      const { sharesSlotsAs } = context.credentials!;
      const task = kind === 'heavy' ? { ms: leftOf(since) } : {};
      return limit.run(sharesSlotsAs, context.closed, work, { ...task, rejected });
    },
  };
};

export type Admission = ReturnType<typeof createAdmission>;
