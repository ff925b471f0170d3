import {
  ApiKeyEntity,
  CredentialEntity,
  OrganizationEntity,
  PortalSessionEntity,
  RequestEntity,
} from '@pto/access';
import { type RowsOf, tablesOf } from '@pto/database';

/**
 * Builds statements over the tables and the view of the operators service that the gateway reads. It
 * writes `last_used_at` alone, and adds rows to the log of requests. `execute` of @pto/database runs
 * them.
 */
export const tables = tablesOf([
  OrganizationEntity,
  ApiKeyEntity,
  PortalSessionEntity,
  RequestEntity,
  CredentialEntity,
]);

/** A row of the log of requests that is not stored yet. */
export type NewRequest = RowsOf<typeof tables>['requests'];
