import { BeyondFeedError, type Client } from '../../../typescript/src/index.ts';

/** Returns whether the feed has the event with this number; numbers have no gaps (decision 65). */
export const hasEvent = async (
  client: Client,
  number: number,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    return await look(client, number, signal);
  } catch (error) {
    if (error instanceof BeyondFeedError) return false;
    throw error;
  }
};

/**
 * Returns the number of the newest event. Looks for it in doubled steps, of which one beyond the feed
 * names it (decision 77). For an API of before that, the search goes on between the last two steps.
 * @param known the number of an event that the feed has, or 0.
 */
export const newestEvent = async (
  client: Client,
  known: number,
  signal: AbortSignal,
): Promise<number> => {
  try {
    let low = known;
    let step = 1;
    for (; await look(client, low + step, signal); step *= 2) low += step;
    for (let high = low + step; high - low > 1; ) {
      const middle = low + Math.floor((high - low) / 2);
      if (await look(client, middle, signal)) low = middle;
      else high = middle;
    }
    return low;
  } catch (error) {
    if (error instanceof BeyondFeedError) return error.newest;
    throw error;
  }
};

/** @throws BeyondFeedError for a number that is not the one after the newest. */
const look = async (client: Client, number: number, signal: AbortSignal): Promise<boolean> =>
  (await client.listEvents({ after: number - 1, limit: 1 }, { signal })).data.length > 0;
