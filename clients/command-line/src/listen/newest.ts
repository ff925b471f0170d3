import type { Client } from '../../../typescript/src/index.ts';

/** Whether the feed has the event with this number; numbers have no gaps (decision 65). */
export const hasEvent = async (
  client: Client,
  number: number,
  signal: AbortSignal,
): Promise<boolean> =>
  (await client.listEvents({ after: number - 1, limit: 1 }, { signal })).data.length > 0;

/**
 * Returns the number of the newest event. Looks for it in doubled steps and then between the last
 * two of them: 40 requests for a million events.
 * @param known the number of an event that the feed has, or 0.
 */
export const newestEvent = async (
  client: Client,
  known: number,
  signal: AbortSignal,
): Promise<number> => {
  let low = known;
  let step = 1;
  for (; await hasEvent(client, low + step, signal); step *= 2) low += step;
  for (let high = low + step; high - low > 1; ) {
    const middle = low + Math.floor((high - low) / 2);
    if (await hasEvent(client, middle, signal)) low = middle;
    else high = middle;
  }
  return low;
};
