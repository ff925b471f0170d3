import type { MigrationList } from '@pto/database';
import { baseline } from './20261129180000_orders.ts';

/** All migrations of this service, in the order of their names. */
export const migrations: MigrationList = [baseline];
