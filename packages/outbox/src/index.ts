/**
 * Messages that a service publishes only if its transaction commits. `addToOutbox` writes them in
 * the transaction; the relay of one of the service's processes (`startRelay`) publishes them
 * afterwards, in the order of their writing and at least once.
 */
export { addToOutbox, OutboxEntity, outboxTable } from './outbox.ts';
export { type Relay, startRelay } from './relay.ts';
export { TopicPartitionsEntity, topicPartitionsTable } from './topic-partitions.ts';
