import { note } from '@pto/terminal';
import {
  type Client,
  ConnectionFailedError,
  type FeedEvent,
  TimedOutError,
} from '../../../typescript/src/index.ts';

/** Limits of a request for events: an outage of some ten minutes does not end the command. */
const patience = { attemptsMax: 60, totalTimeoutMs: 900_000 };

/** Reads of `sleepWatch` may be late by this, in ms, on a busy machine. */
const lateMs = 10_000;
const everyMs = 1000;

/** Notices that the process did not run for a while: the machine slept, or it was stopped. */
export const sleepWatch = (now: () => number = () => performance.now()) => {
  let [last, hasSlept] = [now(), false];
  const look = () => {
    hasSlept ||= now() - last > everyMs + lateMs;
    last = now();
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    /** Whether the process has slept since the last call. */
    hasSlept: (): boolean => {
      look();
      const had = hasSlept;
      hasSlept = false;
      return had;
    },
    stop: () => clearInterval(timer),
  };
};

/**
 * Iterates over the events as the client does. The limits of a request count the time that the
 * machine slept, so a request that failed after a sleep is made again, from the same event.
 * @throws TransportOrdersError when a call has failed for good
 */
export async function* follow(
  client: Pick<Client, 'followEvents'>,
  after: number,
  signal: AbortSignal,
  watch: Pick<ReturnType<typeof sleepWatch>, 'hasSlept'>,
): AsyncGenerator<FeedEvent, void, undefined> {
  for (let last = after; ; ) {
    try {
      for await (const event of client.followEvents({ after: last, signal, ...patience })) {
        yield event;
        last = event.number;
      }
    } catch (error) {
      const isOutage = error instanceof TimedOutError || error instanceof ConnectionFailedError;
      if (!isOutage || !watch.hasSlept()) throw error;
      note(`continued at ${last}, after a sleep`);
    }
  }
}
