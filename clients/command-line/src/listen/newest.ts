import { BeyondFeedError, type Client } from '../../../typescript/src/index.ts';

/**
 * Returns the number of the newest event; 0 without one. A number beyond the feed is rejected with it
 * (decision 77).
 */
export const newestEvent = async (client: Client, signal: AbortSignal): Promise<number> => {
  const after = Number.MAX_SAFE_INTEGER;
  try {
    await client.listEvents({ after, limit: 1 }, { signal });
    return after;
  } catch (error) {
    if (error instanceof BeyondFeedError) return error.newest;
    throw error;
  }
};
