import { createConcurrencyLimit, createSharedLimit, type NoSlot } from '@pto/concurrency';
import { Failure } from '@pto/errors';
import { Counter, type Telemetry } from '@pto/telemetry';
import { rateLimited } from '../limits/budgets.ts';
import type { Exchange } from './exchange.ts';
import { defaultMaxBytes } from './read-body.ts';

/**
 * Bytes of a body from which on its request is heavy; a body without a stated length is, too,
 * because its length is known only when it was read.
 */
export const heavyBodyBytes = 16 * 1024;

const waitingMax = 64;
/**
 * Maximum time in ms that a request waits until its body is read, and then, from when the body has
 * arrived, until it has its slot and its turn.
 */
export const waitMs = 20_000;

const mib = 1024 * 1024;
/**
 * Bytes of the heavy bodies that this process reads or works on, and those of one organization; apart
 * from them those of light bodies, and of bodies of more than 256 KiB, which are files (decision 76). An
 * organization's part has room for the bodies of a key's 60 writes in a minute, light ones for twice as
 * many. 16 heavy bodies, 128 light ones and three files are reserved for organizations that hold none.
 */
const heavyBytes = { capacity: 32 * mib, perOwner: 16 * mib, reserved: 4 * mib };
const lightBytes = { capacity: 8 * mib, perOwner: 2 * mib, reserved: 2 * mib };
const fileBytes = { capacity: 48 * mib, perOwner: 24 * mib, reserved: 24 * mib };
/** Files that are parsed and sent to their service at the same time: each is in memory four times. */
const filesAtWork = { capacity: 2, perOwner: 1, reserved: 0 };
const oneTurn = { capacity: 1, perOwner: 1, reserved: 0 };
/** Maximum time in ms that a file waits for its turn: a file takes up to a second of CPU time in orders. */
const fileWaitMs = 60_000;

/** Maximum number of light changes of one organization that have left their slots during a move. */
const heldMax = 64;

/**
 * As many requests to receivers as a key has writes in a minute (contract 8): each may take 10 s, so
 * with fewer slots the last of them would wait for longer than `waitMs`.
 */
const receiversMin = 60;

/**
 * The kinds of requests, each with its own slots and its own queue: lists of orders and files, lists
 * of smaller rows, requests with a heavy body, those that wait for a partner's receiver, and all
 * others. So no light request waits behind a heavy one or a slow receiver.
 */
export type Lane = 'light' | 'list' | 'rows' | 'heavy' | 'receiver';

/**
 * Bounds what one organization has in flight in this replica, and rejects nothing of an
 * organization that stays within its budgets, except the 65th request that waits in one lane
 * (decision 66). The organizations' slots are separate, so one organization's requests do not delay
 * another's; nor do those of its sessions of the portal, which have slots of their own. A slot is released when the handler has ended and the response is sent or the
 * connection is closed, so a client that disconnects early cannot start more work than its slots
 * allow. Bodies are read without a slot, because a slow network would hold it for long; their bytes are
 * bounded instead. Heavy ones are parsed and validated one at a time, in turns of organizations.
 * @param inFlightMax slots of each lane; half as many for heavy bodies, at least 60 for requests to
 *   receivers.
 */
export const createOrganizationSlots = (inFlightMax: number, telemetry: Telemetry) => {
  const lane = (slots: number) =>
    createConcurrencyLimit({ inFlightMax: slots, waitingMax, waitMs });
  const receivers = Math.max(inFlightMax, receiversMin);
  const lanes = {
    light: lane(inFlightMax),
    list: lane(inFlightMax),
    rows: lane(inFlightMax),
    // each holds a body, its values and its message
    heavy: lane(Math.max(1, inFlightMax / 2)),
    receiver: lane(receivers),
  };
  const held = createConcurrencyLimit({ inFlightMax: heldMax, waitingMax: 0, waitMs: 0 });
  // every request that has a slot may wait for its turn
  const turnsMax = 4 * inFlightMax + receivers;
  const turns = createSharedLimit({ ...oneTurn, waitingMax: turnsMax, waitMs });
  const fileTurns = createSharedLimit({
    ...filesAtWork,
    waitingMax: turnsMax,
    waitMs: fileWaitMs,
  });
  const bytesOfLight = createSharedLimit({ ...lightBytes, waitingMax, waitMs });
  const bytes = createSharedLimit({ ...heavyBytes, waitingMax, waitMs });
  const bytesOfFiles = createSharedLimit({ ...fileBytes, waitingMax, waitMs });
  const bytesFor = (size: number) => {
    if (size > defaultMaxBytes) return bytesOfFiles;
    return size > heavyBodyBytes ? bytes : bytesOfLight;
  };
  const leftOf = (since: number) => Math.max(0, since + waitMs - performance.now());
  const rejections = new Counter({
    name: 'gateway_concurrency_rejections_total',
    help: 'Requests rejected because 64 requests of their organization waited in this replica',
    registers: [telemetry.metrics],
  });

  const rejected = (reason: NoSlot): Failure => {
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

  /** Keeps what was taken with the exchange. @returns false if the connection has closed. */
  const isHeld = (
    exchange: Exchange,
    hold: 'holdSlot' | 'holdMemory',
    taken: (() => void) | NoSlot,
  ): boolean => {
    if (typeof taken !== 'string') exchange[hold](taken);
    else if (!exchange.closed.aborted) throw rejected(taken);
    return !exchange.closed.aborted;
  };

  return {
    /**
     * Takes a slot of the lane for the request, or waits for one.
     * @param since when the request began to need it, as a time of `performance.now()`.
     * @returns false if the connection has closed.
     * @throws Failure RATE_LIMITED if 64 requests wait, SERVICE_UNAVAILABLE after 20 s
     */
    enter: async (exchange: Exchange, name: Lane, since = exchange.begun): Promise<boolean> => {
      const { sharesSlotsAs } = exchange.credentials!;
      const slot = await lanes[name].acquire(sharesSlotsAs, exchange.closed, leftOf(since));
      return isHeld(exchange, 'holdSlot', slot);
    },
    /**
     * Moves a light change that a move of its organization holds from its slot to one of 64 places,
     * where it stays until it ends. So it delays no read of an order. Without a free place it keeps
     * its slot. So do the other lanes, whose slots bound the bodies in memory: other lists may wait for
     * held polls by `updated_since`.
     */
    leaveWhileHeld: async (exchange: Exchange, name: Lane): Promise<void> => {
      if (name !== 'light') return;
      const place = await held.acquire(exchange.credentials!.sharesSlotsAs, exchange.closed);
      if (typeof place === 'string') return;
      exchange.releaseSlot();
      exchange.holdSlot(place);
    },
    /**
     * Holds the memory for a body, or waits for it.
     * @returns false if the connection has closed.
     * @throws Failure RATE_LIMITED if 64 bodies of the organization wait, SERVICE_UNAVAILABLE after
     *   20 s
     */
    holdBytes: async (exchange: Exchange, size: number): Promise<boolean> => {
      const { sharesSlotsAs: name, organization } = exchange.credentials!;
      const limit = bytesFor(size);
      const taken = await limit.acquire(name, size, exchange.closed, waitMs, organization.id);
      return isHeld(exchange, 'holdMemory', taken);
    },
    /** Returns whether others wait for the memory of bodies of this size, which they do not hold. */
    isWaitedFor: (exchange: Exchange, size: number): boolean =>
      bytesFor(size).isWaitedFor(exchange.credentials!.sharesSlotsAs),
    /**
     * Runs this process's own work on heavy bodies one at a time, and on files two at a time, in turns
     * of organizations.
     * @param since when the body had arrived, as a time of `performance.now()`.
     */
    inTurn: async <T>(
      exchange: Exchange,
      kind: 'body' | 'file',
      since: number,
      work: () => Promise<T>,
    ): Promise<T> => {
      const { sharesSlotsAs } = exchange.credentials!;
      const turn = await (kind === 'file'
        ? fileTurns.acquire(sharesSlotsAs, 1, exchange.closed)
        : turns.acquire(sharesSlotsAs, 1, exchange.closed, leftOf(since)));
      if (typeof turn === 'string') throw rejected(turn);
      try {
        return await work();
      } finally {
        turn();
      }
    },
  };
};

export type OrganizationSlots = ReturnType<typeof createOrganizationSlots>;
