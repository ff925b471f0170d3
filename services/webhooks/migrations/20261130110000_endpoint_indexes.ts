import { longMigration, shortMigration } from '@pto/database';
import { index } from './20261130100000_responses.ts';

/** With the organization in front, the deliveries of an endpoint are counted by the index alone. */
const columns = '(organization_id, endpoint_id, id desc)';

export const endpointIndexes = longMigration('20261130110000_endpoint_indexes', [
  ...index('of_endpoint_open', 'deliveries', `${columns} where state <> 'EXHAUSTED'`),
  ...index('of_endpoint_exhausted', 'deliveries', `${columns} where state = 'EXHAUSTED'`),
]);

/** The indexes that these replace. */
export const withoutOldIndexes = shortMigration('20261130110100_without_old_indexes', [
  'drop index deliveries_open',
  'drop index deliveries_exhausted',
]);
