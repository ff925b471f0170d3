import { consumerEntities } from '@pto/bus';
import { type RowsOf, tablesOf } from '@pto/database';
import { OutboxEntity } from '@pto/outbox';
import {
  IntegrityViolationEntity,
  ProducedEventEntity,
  UnreportedEventEntity,
} from './evidence.ts';
import { IdempotencyKeyEntity } from './idempotency-key.ts';
import { LocationEntity } from './location.ts';
import { OrderEntity, PollMomentEntity } from './order.ts';

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  LocationEntity,
  OrderEntity,
  PollMomentEntity,
  IdempotencyKeyEntity,
  ProducedEventEntity,
  UnreportedEventEntity,
  IntegrityViolationEntity,
  ...consumerEntities,
  OutboxEntity,
] as const;

/** Builds statements over these tables. `execute` of @pto/database runs them. */
export const tables = tablesOf(entities);

/** Row types of these tables. */
export type Rows = RowsOf<typeof tables>;
