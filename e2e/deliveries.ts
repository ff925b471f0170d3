/** What a receiver has got of the events of orders that came to their end. */
import type { Receiver } from './receiver.ts';

/** Number of events of an order from its submission to its end. */
export const eventsOfALife = 9;

/** The deliveries of each event, by `order number`. */
export const byEvent = ({ received }: Receiver) =>
  Map.groupBy(received, ({ body }) => `${body.data.order.id} ${body.data.order.sequence}`);

/** The events of these closed orders, as `order number`. */
export const eventsOf = (ids: readonly string[]): string[] =>
  ids.flatMap((id) => Array.from({ length: eventsOfALife }, (_, n) => `${id} ${n + 1}`));

/** Returns the events of these closed orders that the receiver has not got. */
export const missingEvents = (receiver: Receiver, ids: readonly string[]): string[] => {
  const seen = byEvent(receiver);
  return eventsOf(ids).filter((event) => !seen.has(event));
};

/** Returns the events that came under more than one delivery id. */
export const repeatedEvents = (receiver: Receiver): string[] =>
  [...byEvent(receiver)]
    .filter(([, came]) => new Set(came.map(({ delivery }) => delivery)).size > 1)
    .map(([event]) => event);
