import { sqlMigration } from '@pto/database';

/** Finds the endpoints that may become BROKEN in silence without reading all endpoints. */
export const exhaustedEndpoints = sqlMigration('20261127180000_exhausted_endpoints', [
  'create index endpoints_exhausted on endpoints (id) where exhausted > 0',
]);
