import { consumerEntities } from '@pto/bus';
import { type RowsOf, tablesOf } from '@pto/database';
import { HeldOrganizationEntity, MoveSettingEntity } from '@pto/moves';
import {
  AttemptEntity,
  DeliveryEntity,
  NamedReplayEntity,
  PendingDeliveryEntity,
  QuarantinedDeliveryEntity,
  StoredEventEntity,
} from './deliveries.ts';
import {
  DeletedEndpointEntity,
  EndpointCreationEntity,
  EndpointEntity,
  EndpointSecretEntity,
  EndpointSequenceEntity,
  ProbeBudgetEntity,
  WarningEntity,
} from './endpoints.ts';

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  EndpointEntity,
  DeletedEndpointEntity,
  EndpointCreationEntity,
  EndpointSecretEntity,
  EndpointSequenceEntity,
  DeliveryEntity,
  NamedReplayEntity,
  AttemptEntity,
  PendingDeliveryEntity,
  QuarantinedDeliveryEntity,
  StoredEventEntity,
  WarningEntity,
  ProbeBudgetEntity,
  HeldOrganizationEntity,
  MoveSettingEntity,
  ...consumerEntities,
] as const;

/** Builds statements over this service's tables; `execute` of @pto/database runs them. */
export const tables = tablesOf(entities);

/** Row types of this service's tables. */
export type Rows = RowsOf<typeof tables>;

export type Endpoint = Rows['endpoints'];

/** Identifies an endpoint: the organization leads the keys of all tables. */
export interface EndpointKey {
  readonly organizationId: string;
  readonly id: string;
}
