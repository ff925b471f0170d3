import type { FeedEvent } from '../../../typescript/src/index.ts';
import type { Forwarded } from './forward.ts';

/** Returns the line of an event that was forwarded; with `json` a JSON object. */
export const eventLine = (event: FeedEvent, forwarded: Forwarded, json: boolean): string => {
  const { number, occurred_at, data } = event;
  const { order } = data;
  if (json) return JSON.stringify({ ...event, forwarded });
  return [number, occurred_at, event.event, order.id, order.status, answerText(forwarded)].join(
    '  ',
  );
};

/** Returns the receiver's answer in words. */
export const answerText = ({ ok, status, text, attempts, ms }: Forwarded): string => {
  const answer = status === null ? text : `${status} in ${ms} ms`;
  const times = attempts > 1 ? `, attempt ${attempts}` : '';
  return `${answer}${times}${!ok && status !== null && text !== '' ? `: ${text}` : ''}`;
};
