/** Order events, from orders to custody; the key is the order's id. */
export declare const orderEventsTopic = 'orders.order-events.v1';
/** Entries of the ledger, from custody to webhooks and orders; the key is the order's id. */
export declare const custodyEventsTopic = 'custody.custody-events.v1';
/**
 * The log's signed checkpoints, readable by anyone; the key is the log's origin, the value the
 * note.
 */
export declare const custodyCheckpointsTopic = 'custody.checkpoints.v1';
/** The consumer groups by purpose. */
export declare const consumerGroups: {
  readonly ledger: 'custody.ledger';
  readonly evidence: 'orders.custody-evidence';
  readonly dispatcher: 'webhooks.dispatcher';
};
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
export declare const topicAccess: readonly TopicAccess[];
