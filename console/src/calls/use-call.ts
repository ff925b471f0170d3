import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { failureOf } from './failure.ts';

/** Time between two reads of what a page shows live, in ms. Hidden pages do not read. */
const operatorsMs = 2000;
/** Time until a call of a page that is not live is sent again if no answer came, in ms. */
const againMs = 10_000;

/**
 * Reads by a call, and shows the last answer while the next one is read.
 * @param key names the call and its request.
 * @param live reads again while the page is visible.
 * @param everyMs time between two reads of a live page, or a function that returns it.
 * @param isWatched reads also while the page is hidden.
 */
export const useCall = <Response>(
  key: readonly unknown[],
  call: () => Promise<Response>,
  {
    live = false,
    everyMs = operatorsMs,
    enabled = true,
    isWatched = false,
  }: {
    live?: boolean;
    everyMs?: number | (() => number) | undefined;
    enabled?: boolean;
    isWatched?: boolean;
  } = {},
) =>
  useQuery({
    queryKey: key,
    queryFn: call,
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { error } }) => {
      if (live) return typeof everyMs === 'function' ? everyMs() : everyMs;
      return error && failureOf(error).isOffline ? againMs : false;
    },
    refetchIntervalInBackground: isWatched,
    // a live page reads again anyway, and must soon say that no answer comes
    ...(live && { retry: false }),
  });
