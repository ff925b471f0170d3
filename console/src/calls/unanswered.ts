import { notifyManager, onlineManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { failureOf } from './failure.ts';

/** First words of the names of the calls by which an application learns whether answers come. */
const probes: readonly unknown[] = ['connection', 'session'];
/** Calls for the frame: their age says nothing about the page that is shown. */
const ofFrame: readonly unknown[] = [...probes, 'me'];
/** Names beside a page's own data; one page shows nothing else. */
const names = 'organizations';

/**
 * Returns the time of the oldest answer that the page shows while no newer one comes, in ms; 0: the
 * page shows none, and the browser is offline. Undefined while answers come. When they come again,
 * the whole page is read again.
 */
export const useUnanswered = (): number | undefined => {
  const queries = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => {
      const stops = [
        queries.getQueryCache().subscribe(notifyManager.batchCalls(changed)),
        onlineManager.subscribe(changed),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
    [queries],
  );
  const since = useSyncExternalStore(subscribe, () => {
    const active = queries.getQueryCache().findAll({ type: 'active' });
    const failed = active.filter(({ state: { error } }) => error && failureOf(error).isOffline);
    const isCut =
      !onlineManager.isOnline() || failed.some(({ queryKey: [name] }) => probes.includes(name));
    if (!isCut && failed.length === 0) return undefined;
    const shown = (isCut ? active : failed).filter(
      ({ state, queryKey: [name] }) => state.data !== undefined && !ofFrame.includes(name),
    );
    const own = shown.filter(({ queryKey: [name] }) => name !== names);
    const times = (own.length > 0 ? own : shown).map(({ state }) => state.dataUpdatedAt);
    if (times.length > 0) return Math.min(...times);
    return onlineManager.isOnline() ? undefined : 0; // the parts of the page say so themselves
  });
  const isUnanswered = since !== undefined;
  useEffect(() => {
    if (!isUnanswered) return undefined;
    return () => void queries.invalidateQueries();
  }, [isUnanswered, queries]);
  return since;
};
