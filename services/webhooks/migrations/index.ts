import type { MigrationList } from '@pto/database';
import { baseline } from './20261129180000_webhooks.ts';
import { responses, responsesIndexes } from './20261130100000_responses.ts';
import { endpointIndexes, withoutOldIndexes } from './20261130110000_endpoint_indexes.ts';

/** All migrations, in the order of their names. */
export const migrations: MigrationList = [
  ...[baseline, responses, responsesIndexes],
  ...[endpointIndexes, withoutOldIndexes],
];
