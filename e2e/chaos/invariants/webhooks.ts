import type { EndpointSeen, Invariant, OrderSeen } from '../observation.ts';

/** Every event reaches every endpoint, once by delivery id, numbered without gaps, signed. */
export const webhooksAreComplete: Invariant = ({ endpoints, orders }) =>
  endpoints.flatMap((endpoint) =>
    [
      ...missing(endpoint, orders),
      ...doubled(endpoint),
      ...numbered(endpoint),
      ...unsigned(endpoint),
    ].map((fault) => `${endpoint.name}: ${fault}`),
  );

const eventOf = ({ orderId, sequence }: { orderId: string; sequence: number }) =>
  `${orderId} ${sequence}`;

const missing = ({ deliveries }: EndpointSeen, orders: readonly OrderSeen[]): string[] => {
  const came = new Set(deliveries.map(eventOf));
  const due = orders.flatMap(({ id: orderId, sequence: count }) =>
    Array.from({ length: count }, (_, n) => eventOf({ orderId, sequence: n + 1 })),
  );
  const wanted = new Set(due);
  return [
    ...due.filter((event) => !came.has(event)).map((event) => `event ${event} never came`),
    ...[...came].filter((event) => !wanted.has(event)).map((event) => `event ${event} is invented`),
  ];
};

/** More delivery ids than replays and recoveries explain. */
const doubled = ({ deliveries, replays, recovered }: EndpointSeen): string[] => {
  if (recovered) return [];
  const extra = [...Map.groupBy(deliveries, eventOf)].flatMap(([event, same]) => {
    const ids = [...new Set(same.map(({ delivery }) => delivery))];
    return ids.slice(1).map((id) => `event ${event} came as ${ids[0]} and as ${id}`);
  });
  return extra.length > replays ? extra : [];
};

const numbered = ({ deliveries }: EndpointSeen): string[] => {
  const numbers = new Set(deliveries.map(({ stream }) => stream));
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const gaps =
    numbers.size === 0 || (least === 1 && most === numbers.size)
      ? []
      : [`the stream has ${numbers.size} numbers from ${least} to ${most}`];
  const shared = [...Map.groupBy(deliveries, ({ stream }) => stream)].flatMap(([stream, same]) => {
    const events = [...new Set(same.map(eventOf))];
    return events.length > 1 ? [`number ${stream} has the events ${events.join(', ')}`] : [];
  });
  const respelled = [...Map.groupBy(deliveries, eventOf)].flatMap(([event, same]) =>
    new Set(same.map(({ bytes }) => bytes)).size > 1
      ? [`event ${event} came with other bytes`]
      : [],
  );
  return [...gaps, ...shared, ...respelled];
};

const unsigned = ({ deliveries }: EndpointSeen): string[] =>
  deliveries.filter(({ signed }) => !signed).map(({ delivery }) => `${delivery} is not signed`);
