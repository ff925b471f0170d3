import { Failure, kinds } from '@pto/errors';
import { Gauge, type Telemetry } from '@pto/telemetry';
import type { Admission, Lane } from './admission.ts';
import type { RequestContext } from './request-context.ts';

/** Runs the waits of requests that wait for events, outside of their organization's slots. */
export interface Waits {
  /**
   * Releases the request's slot, waits, checks the request's key again and takes a slot again. So a
   * waiting request delays no other one, its later work takes its turn, and a key that was revoked
   * meanwhile gets nothing.
   * @param wait resolves with whether there is anything to do now. It must end at the signal, which
   *   aborts when the connection closes or this process stops.
   * @param isAllowed checks the rights of the key after the wait.
   * @returns true if the wait was successful and the request has a slot. False: the response needs
   *   no work. Also without a wait, if `placesMax` requests of the organization wait.
   * @throws Failure of the check of the key
   */
  outsideOfSlot(
    context: RequestContext,
    lane: Lane,
    wait: (signal: AbortSignal) => Promise<boolean>,
    isAllowed: () => void,
  ): Promise<boolean>;
  /** Ends all waits, without success. Later ones end at once. */
  stop(): void;
}

export const createWaits = (
  admission: Pick<Admission, 'enter' | 'leave'>,
  { metrics }: Pick<Telemetry, 'metrics'>,
): Waits => {
  const stopping = createStopping();
  const waiting = new Gauge({
    name: 'gateway_waiting_requests',
    help: 'Requests that wait for events in this replica',
    registers: [metrics],
  });

  /** Returns false if the wait fails for the lack of a service: the next request reports that. */
  const result = async (wait: () => Promise<boolean>, signal: AbortSignal): Promise<boolean> => {
    try {
      return await wait();
    } catch (error) {
      if (signal.aborted || (error instanceof Failure && kinds[error.kind].http === 503))
        return false;
      throw error;
    }
  };

  return {
    outsideOfSlot: async (context, lane, wait, isAllowed) => {
      const { signal, release } = stopping.or(context.closed);
      const place = await admission.leave(context, signal);
      if (!place) {
        release();
        return false;
      }
      waiting.inc();
      const begun = performance.now();
      const found = await result(() => wait(signal), signal).finally(() => {
        context.waitedMs += performance.now() - begun;
        place();
        release();
        waiting.dec();
      });
      if (context.closed.aborted) return false;
      await context.checkKey!();
      isAllowed();
      return found && admission.enter(context, lane, performance.now());
    },
    stop: stopping.stop,
  };
};

/**
 * The end of all waits. Thousands wait at once, so their ends are in a set: a signal of the process
 * would search all its listeners for each one that comes or leaves.
 */
const createStopping = () => {
  const ends = new Set<() => void>();
  let isStopping = false;
  return {
    /**
     * Returns a signal that aborts with the given one or with `stop`. `release` ends that, because a
     * request lives longer than its wait.
     */
    or: (signal: AbortSignal) => {
      const either = new AbortController();
      const end = () => either.abort(new Error('the wait ends'));
      if (signal.aborted || isStopping) end();
      ends.add(end);
      signal.addEventListener('abort', end);
      const release = () => {
        ends.delete(end);
        signal.removeEventListener('abort', end);
      };
      return { signal: either.signal, release };
    },
    stop: (): void => {
      isStopping = true;
      for (const end of ends) end();
    },
  };
};
