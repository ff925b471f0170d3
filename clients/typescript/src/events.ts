import { TransportOrdersError } from './errors.ts';
import type { Http } from './http/http.ts';
import { wait as pause } from './http/retry.ts';
import type { CallOptions } from './options.ts';
import type { EventPage, EventQuery, FeedEvent } from './types.ts';

/** Maximum time in seconds that a request waits for an event. */
const waitSeconds = 25;
/** Pause in ms after an empty page that came before the end of the wait. */
const earlyPauseMs = 1000;
/** Limits that permit a request to wait. Those of the client may be shorter. */
const waitingLimits = { attemptTimeoutMs: 50_000, totalTimeoutMs: 150_000 };

export interface FollowOptions extends CallOptions {
  /** `number` of the last event that you have processed; 0 by default, before the first event. */
  readonly after?: number;
  /**
   * `feed` of the page that had this number: a number of another organization or environment is
   * rejected in place of being continued. Read it once by `listEvents`.
   */
  readonly feed?: string;
}

/** Reads a page of events. */
export const listEvents = (
  http: Http,
  query: EventQuery,
  options?: CallOptions,
): Promise<EventPage> => http.page('/events', options, query);

/**
 * Iterates over the events after `after`, and waits for new ones. Each call has the retries of all
 * calls; its limits are those of `options`, not of the client.
 * @throws BeyondFeedError at once for an `after` that the feed does not have; ValidationError for a
 *   `feed` that is not the key's; TransportOrdersError when a call has failed for good, or if the
 *   server leaves out an event.
 */
export async function* followEvents(
  http: Http,
  { after = 0, feed, ...options }: FollowOptions = {},
): AsyncGenerator<FeedEvent, void, undefined> {
  for (let last = after; ; ) {
    const begun = performance.now();
    const query = {
      after: last,
      limit: 100,
      wait: waitSeconds,
      ...(feed !== undefined && { feed }),
    };
    const { data } = await listEvents(http, query, { ...waitingLimits, ...options });
    for (const event of data) {
      if (event.number !== last + 1)
        throw new TransportOrdersError(`event ${last + 1} is missing before ${event.number}`);
      last = event.number;
      yield event;
    }
    const isEarly = performance.now() - begun < waitSeconds * 1000 - earlyPauseMs;
    if (data.length === 0 && isEarly) await pause(earlyPauseMs, options.signal);
  }
}
