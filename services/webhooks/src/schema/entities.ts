import { consumerEntities } from '@pto/bus';
import { AttemptEntity } from './attempt.ts';
import { DeliveryEntity } from './delivery.ts';
import { EndpointEntity } from './endpoint.ts';
import { EndpointCreationEntity } from './endpoint-creation.ts';
import { EndpointSecretEntity } from './endpoint-secret.ts';
import { EndpointSequenceEntity } from './endpoint-sequence.ts';
import { PendingDeliveryEntity } from './pending-delivery.ts';
import { ProbeBudgetEntity } from './probe-budget.ts';
import { QuarantinedDeliveryEntity } from './quarantined-delivery.ts';
import { StoredEventEntity } from './stored-event.ts';
import { WarningEntity } from './warning.ts';

/**
 * Entities that the entity manager reads and writes. The other entities are left out, because
 * MikroORM's discovery at the start takes time for each entity.
 */
export const managed = [EndpointEntity] as const;

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  EndpointEntity,
  EndpointCreationEntity,
  EndpointSecretEntity,
  EndpointSequenceEntity,
  DeliveryEntity,
  AttemptEntity,
  PendingDeliveryEntity,
  QuarantinedDeliveryEntity,
  StoredEventEntity,
  WarningEntity,
  ProbeBudgetEntity,
  ...consumerEntities,
] as const;
