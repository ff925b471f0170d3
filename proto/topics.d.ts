/** Order events, from orders to custody; the key is the order's id. */
export declare const orderEventsTopic = 'orders.order-events.v1';
/** What the ledger holds, from custody to webhooks and orders; the key is the order's id. */
export declare const custodyEventsTopic = 'custody.custody-events.v1';
/** The log's signed checkpoints, for anyone; the key is the log's origin, the value the note. */
export declare const custodyCheckpointsTopic = 'custody.checkpoints.v1';
/** The consumer groups, by what they do with the events. */
export declare const consumerGroups: {
  readonly ledger: 'custody.ledger';
  readonly evidence: 'orders.custody-evidence';
  readonly dispatcher: 'webhooks.dispatcher';
};
/** A service that has a user of its own at Kafka. */
export type BusService = 'orders' | 'custody' | 'webhooks';
/** Who may do what with one topic. */
export interface TopicAccess {
  readonly topic: string;
  readonly producers: readonly BusService[];
  readonly consumers: readonly { readonly service: BusService; readonly group: string }[];
}
/**
 * Which service writes and reads which topic, and as which group: the source of Kafka's ACLs. A
 * service that reads a topic also writes its copies of dead letters to `<topic>.dlq`.
 */
export declare const topicAccess: readonly TopicAccess[];
