/**
 * The message bus: a port (bus.ts), its implementations on Kafka and PostgreSQL, and a consumer
 * (consume/) that removes duplicates and parks messages that it cannot handle.
 */
export type {
  Bus,
  Ends,
  IncomingMessage,
  OutgoingMessage,
  SubscribeOptions,
  Topic,
} from './bus.ts';
export { type ConsumeOptions, type Consumer, consume } from './consume/consume.ts';
export { consumerEntities, consumerTables } from './consume/consumer-tables.ts';
export { deadLetterHandlers } from './consume/dead-letters/dead-letter-handlers.ts';
export type { DeadLetter } from './consume/dead-letters/dead-letters.ts';
export type { Replay } from './consume/dead-letters/replay.ts';
export { inboxDays } from './inbox-age.ts';
export { openBus } from './open-bus.ts';
export { postgresBusMigrations } from './postgres/bus-migrations.ts';
export { type BusSettings, busSettings } from './settings.ts';
