/** Order events, from orders to custody; the key is the order's id. */
export const orderEventsTopic = 'orders.order-events.v1';

/** Entries of the ledger, from custody to webhooks and orders; the key is the order's id. */
export const custodyEventsTopic = 'custody.custody-events.v1';

/**
 * The log's signed checkpoints, readable by anyone; the key is the log's origin, the value the
 * note.
 */
export const custodyCheckpointsTopic = 'custody.checkpoints.v1';

/** The consumer groups by purpose. */
export const consumerGroups = {
  ledger: 'custody.ledger',
  evidence: 'orders.custody-evidence',
  dispatcher: 'webhooks.dispatcher',
} as const;

/** Returns the consumer groups that read a topic. */
export const readersOf = (topic: string): readonly string[] =>
  topicAccess
    .filter((access) => access.topic === topic)
    .flatMap(({ consumers }) => consumers.map(({ group }) => group));

/** A service that has its own Kafka user. */
export type BusService = 'orders' | 'custody' | 'webhooks';

/** The services that write and read one topic. */
export interface TopicAccess {
  readonly topic: string;
  readonly producers: readonly BusService[];
  readonly consumers: readonly { readonly service: BusService; readonly group: string }[];
}

/**
 * The services that write and read each topic, and their groups: the source of Kafka's ACLs. A
 * service that reads a topic also writes its copies of dead letters to `<topic>.dlq`.
 */
export const topicAccess: readonly TopicAccess[] = [
  {
    topic: orderEventsTopic,
    producers: ['orders'],
    consumers: [{ service: 'custody', group: consumerGroups.ledger }],
  },
  {
    topic: custodyEventsTopic,
    producers: ['custody'],
    consumers: [
      { service: 'orders', group: consumerGroups.evidence },
      { service: 'webhooks', group: consumerGroups.dispatcher },
    ],
  },
  { topic: custodyCheckpointsTopic, producers: ['custody'], consumers: [] },
];
