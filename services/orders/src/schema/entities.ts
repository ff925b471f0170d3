import { consumerEntities } from '@pto/bus';
import { OutboxEntity } from '@pto/outbox';
import { IdempotencyKeyEntity } from './idempotency-key.ts';
import { IntegrityViolationEntity } from './integrity-violation.ts';
import { LocationEntity } from './location.ts';
import { OrderEntity } from './order.ts';
import { PollMomentEntity } from './poll-moment.ts';
import { ProducedEventEntity } from './produced-event.ts';
import { UnreportedEventEntity } from './unreported-event.ts';

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  LocationEntity,
  OrderEntity,
  IdempotencyKeyEntity,
  ProducedEventEntity,
  UnreportedEventEntity,
  IntegrityViolationEntity,
  PollMomentEntity,
  ...consumerEntities,
  OutboxEntity,
] as const;
