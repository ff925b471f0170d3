import { keepPreviousData, useQuery } from '@tanstack/react-query';

/** Time between two reads of what a page shows live, in ms. Hidden pages do not read. */
const liveMs = 2000;

/**
 * Reads by an RPC, and shows the last answer while the next one is read.
 * @param key names the call and its request.
 * @param live reads again every 2 s while the page is visible.
 */
export const useCall = <Response>(
  key: readonly unknown[],
  call: () => Promise<Response>,
  { live = false, enabled = true }: { live?: boolean; enabled?: boolean } = {},
) =>
  useQuery({
    queryKey: key,
    queryFn: call,
    enabled,
    placeholderData: keepPreviousData,
    refetchInterval: live && liveMs,
    // a live page reads again anyway, and must soon say that no answer comes
    ...(live && { retry: false }),
  });
