import type { MigrationList } from '@pto/database';
import { courier } from './20261127100000_courier.ts';

/** All migrations, in the order of their names. */
export const migrations: MigrationList = [courier];
