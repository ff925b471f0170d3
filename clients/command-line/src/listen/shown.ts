import type { FeedEvent } from '../../../typescript/src/index.ts';
import type { Forwarded } from './forward.ts';

/**
 * Returns the line of an event; with `json` a JSON object.
 * @param forwarded the receiver's answer; null if the event was not forwarded.
 */
export const eventLine = (event: FeedEvent, forwarded: Forwarded | null, json: boolean): string => {
  const { number, occurred_at, data } = event;
  const { id, external_id, status } = data.order;
  if (json) return JSON.stringify(forwarded ? { ...event, forwarded } : event);
  const shown = [number, occurred_at, event.event, id, external_id ?? '-', status];
  return [...shown, ...(forwarded ? [answerText(forwarded)] : [])].join('  ');
};

/** Returns the receiver's answer in words. */
export const answerText = ({ ok, status, text, attempts, ms }: Forwarded): string => {
  const answer = status === null ? text : `${status} in ${ms} ms`;
  const times = attempts > 1 ? `, attempt ${attempts}` : '';
  return `${answer}${times}${!ok && status !== null && text !== '' ? `: ${text}` : ''}`;
};
