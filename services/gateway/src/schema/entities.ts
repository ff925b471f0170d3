import { ApiKeyEntity } from './api-key.ts';
import { OperatorEntity } from './operator.ts';
import { OperatorActionEntity } from './operator-action.ts';
import { OperatorOutcomeEntity } from './operator-outcome.ts';
import { OperatorTokenEntity } from './operator-token.ts';
import { OrganizationEntity } from './organization.ts';

/**
 * The entities that the entity manager reads and writes. Each listed entity costs time at the
 * start, so all other entities are left out.
 */
export const managed = [OrganizationEntity, ApiKeyEntity] as const;

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  OrganizationEntity,
  ApiKeyEntity,
  OperatorTokenEntity,
  OperatorEntity,
  OperatorActionEntity,
  OperatorOutcomeEntity,
] as const;
