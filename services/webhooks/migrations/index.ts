import type { MigrationList } from '@pto/database';
import { baseline } from './20261129180000_webhooks.ts';
import { told, toldIndexes } from './20261130100000_told.ts';

/** All migrations, in the order of their names. */
export const migrations: MigrationList = [baseline, told, toldIndexes];
