import { Failure } from '@pto/errors';

export interface SlotLimits {
  /** Calls of one organization that run at once in this replica. */
  readonly running: number;
  /** Calls of one organization that wait for a slot. */
  readonly waiting: number;
  readonly waitMaxMs: number;
}

/** Runs the work of an organization when it has a free slot, in the order of the calls. */
export type OrganizationSlots = <T>(
  organizationId: string,
  signal: AbortSignal,
  work: () => Promise<T>,
) => Promise<T>;

interface Lane {
  running: number;
  /** Starts the next waiting call. */
  readonly waiting: Set<() => void>;
}

/**
 * Concurrency slots per organization, so that one organization's heavy calls take neither all
 * connections of the database pool nor the memory of the process from the others (decision 56).
 * @throws Failure RATE_LIMITED where too many calls wait, or a call waits too long.
 */
export const organizationSlots = (limits: SlotLimits): OrganizationSlots => {
  const lanes = new Map<string, Lane>();

  const enter = (lane: Lane, signal: AbortSignal): Promise<void> | undefined => {
    if (lane.running < limits.running) {
      lane.running++;
      return undefined;
    }
    if (lane.waiting.size >= limits.waiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', giveUp);
        lane.waiting.delete(start);
      };
      const giveUp = () => {
        leave();
        reject(tooMany());
      };
      const start = () => {
        leave();
        resolve(); // the slot passes from the call that has ended to this one
      };
      const timer = setTimeout(giveUp, limits.waitMaxMs);
      signal.addEventListener('abort', giveUp, { once: true });
      lane.waiting.add(start);
    });
  };

  return async (organizationId, signal, work) => {
    const lane = lanes.get(organizationId) ?? { running: 0, waiting: new Set() };
    lanes.set(organizationId, lane);
    await enter(lane, signal);
    try {
      return await work();
    } finally {
      const [next] = lane.waiting;
      if (next) next();
      else if (--lane.running === 0) lanes.delete(organizationId);
    }
  };
};

const tooMany = (): Failure =>
  new Failure('RATE_LIMITED', 'Too many requests of this organization run at once.', {
    retryAfterSeconds: 1,
  });
