/**
 * Messages that leave a service only if its transaction commits: written beside the change
 * (addToOutbox), carried to the bus afterwards by one relay per shard (startRelay), in order per
 * key and at least once.
 */
export { addToOutbox } from './add.ts';
export { outboxShards, outboxTable } from './outbox-table.ts';
export { type Relay, startRelay } from './relay.ts';
export { OutboxEntity } from './schema.ts';
