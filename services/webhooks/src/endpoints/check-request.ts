import { Failure, invalid, valueError } from '@pto/errors';
import { eventNames } from '@pto/proto/vocabulary';
import { type EgressPolicy, judgeUrl } from '../egress/address-policy.ts';

/** Checks a webhook URL without a DNS lookup. @throws Failure VALIDATION (decision 44). */
export const checkUrl = (url: string, policy: EgressPolicy): void => {
  const fault = judgeUrl(url, policy);
  if (fault) throw invalid(['body', 'url'], `the URL ${fault}`, url);
};

/**
 * Returns the event names of a filter without duplicates; null without a filter, which means all
 * events (decision 33).
 * @throws Failure VALIDATION for an empty filter, and for names that contract 6.1 does not list.
 */
export const checkEventFilter = (
  filter: { readonly events: readonly string[] } | undefined,
): string[] | null => {
  if (!filter) return null;
  const { events } = filter;
  const loc = ['body', 'event_filter'];
  if (events.length === 0) throw invalid(loc, 'the list is empty: name at least one event', events);
  const known: readonly string[] = eventNames;
  const faults = events.flatMap((event, n) =>
    known.includes(event) ? [] : [valueError([...loc, n], 'is not an event name', event)],
  );
  if (faults.length > 0)
    throw new Failure('VALIDATION', 'The event filter contains an unknown event name.', {
      details: { detail: faults },
    });
  return [...new Set(events)];
};
