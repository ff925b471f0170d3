import { notifyManager, onlineManager, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useSyncExternalStore } from 'react';
import { answers } from './answer.ts';
import { failureOf } from './failure.ts';

/** First words of the names of the calls by which an application learns whether answers come. */
const probes: readonly unknown[] = ['connection', 'session'];
/** Calls for the frame: their age says nothing about the page that is shown. */
const ofFrame: readonly unknown[] = [...probes, 'me'];
/** Names beside a page's own data; one page shows nothing else. */
const names = 'organizations';

/**
 * Returns, while no newer answer comes, the time of the oldest one that the page shows, in ms, 0 if the
 * page shows none and the browser is offline, and what comes instead in a sentence. Undefined while
 * answers come. When they come again, the whole page is read again.
 */
export const useUnanswered = (): { readonly since: number; readonly what: string } | undefined => {
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
  const found = useSyncExternalStore(subscribe, () => {
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
    if (times.length === 0 && onlineManager.isOnline()) return undefined; // the parts say so themselves
    const error = onlineManager.isOnline() && failed[0]?.state.error;
    const what = error ? failureOf(error).what : answers.NO_ANSWER()[0];
    return `${times.length > 0 ? Math.min(...times) : 0} ${what}`;
  });
  const isUnanswered = found !== undefined;
  useEffect(() => {
    if (!isUnanswered) return undefined;
    return () => void queries.invalidateQueries();
  }, [isUnanswered, queries]);
  if (found === undefined) return undefined;
  const [since, ...what] = found.split(' ');
  return { since: Number(since), what: what.join(' ') };
};
