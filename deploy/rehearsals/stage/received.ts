import type { Receiver } from '../../../e2e/receiver.ts';

/** Number of events of an order from its submission to its end. */
const eventsOfALife = 9;

/** Returns the events of these closed orders that the receiver has not got, as `order number`. */
export const missingEvents = (receiver: Receiver, ids: readonly string[]): string[] => {
  const seen = new Set(
    receiver.received.map(({ body }) => `${body.data.order.id} ${body.data.order.sequence}`),
  );
  return ids
    .flatMap((id) => Array.from({ length: eventsOfALife }, (_, n) => `${id} ${n + 1}`))
    .filter((event) => !seen.has(event));
};

/** Returns the events that came under more than one delivery id. */
export const repeatedEvents = (receiver: Receiver): string[] => {
  const byEvent = Map.groupBy(
    receiver.received,
    ({ body }) => `${body.data.order.id} ${body.data.order.sequence}`,
  );
  return [...byEvent]
    .filter(([, came]) => new Set(came.map(({ delivery }) => delivery)).size > 1)
    .map(([event]) => event);
};
