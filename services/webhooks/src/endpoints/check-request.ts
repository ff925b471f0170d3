import { Failure, invalid, valueError } from '@pto/errors';
import { eventNames } from '@pto/proto/vocabulary';
import { type EgressPolicy, judgeUrl } from '../egress/index.ts';

/** Rejects a URL that can never be called. @throws Failure VALIDATION (decision 44). */
export const checkUrl = (url: string, policy: EgressPolicy): void => {
  const fault = judgeUrl(url, policy);
  if (fault) throw invalid(['body', 'url'], `the URL ${fault}`, url);
};

/**
 * The names of a filter, each once; null for all events (decision 33).
 * @throws Failure VALIDATION for none at all, and for names that contract 6.1 does not know.
 */
export const checkEventFilter = (
  filter: { readonly events: readonly string[] } | undefined,
): string[] | null => {
  if (!filter) return null;
  const { events } = filter;
  const loc = ['body', 'event_filter'];
  if (events.length === 0) throw invalid(loc, 'name at least one event', events);
  const known: readonly string[] = eventNames;
  const faults = events.flatMap((event, n) =>
    known.includes(event) ? [] : [valueError([...loc, n], 'no such event', event)],
  );
  if (faults.length > 0)
    throw new Failure('VALIDATION', 'The event filter does not hold.', {
      details: { detail: faults },
    });
  return [...new Set(events)];
};
