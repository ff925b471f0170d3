/**
 * Messages that a service publishes only if its transaction commits. `addToOutbox` writes them in
 * the transaction; one relay per shard (`startRelay`) publishes them afterwards, in order per key
 * and at least once.
 */
export { addToOutbox, OutboxEntity, outboxTable } from './outbox.ts';
export { type Relay, startRelay } from './relay.ts';
export { outboxSettings } from './settings.ts';
export { TopicPartitionsEntity, topicPartitionsTable } from './topic-partitions.ts';
