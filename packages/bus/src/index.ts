/**
 * The message bus: a narrow port (bus.ts), Kafka or PostgreSQL behind it, and consumption in which
 * twice is once and a message that cannot be handled steps aside (consume/).
 * Also what the outbox's relay shares with the bus: shares and hashes.
 */
export type {
  Bus,
  IncomingMessage,
  OutgoingMessage,
  SubscribeOptions,
  Subscription,
  Topic,
} from './bus.ts';
export { defaultPartitions } from './bus.ts';
export { type ConsumeOptions, type Consumer, consume } from './consume/consume.ts';
export { deadLetterHandlers } from './consume/dead-letter-handlers.ts';
export {
  deadLetterTable,
  discardedDeadLetters,
  rejectedDeadLetters,
} from './consume/dead-letter-table.ts';
export { inboxTables } from './consume/inbox.ts';
export type { DeadLetter } from './consume/list.ts';
export { consumerPositions } from './consume/positions.ts';
export type { Replay } from './consume/replay.ts';
export { consumerEntities } from './consume/schema.ts';
export { inboxDays } from './inbox-age.ts';
export { keyHash } from './key-hash.ts';
export { openBus } from './open-bus.ts';
export { postgresBusMigrations } from './postgres/migrations.ts';
export { type BusSettings, busSettings } from './settings.ts';
export { holdShares, type LockSession, type Shares } from './shares.ts';
