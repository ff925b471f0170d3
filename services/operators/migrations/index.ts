import type { MigrationList } from '@pto/database';
import { access } from './20261126060000_access.ts';

/** All migrations of the database `access`, in the order of their names. */
export const migrations: MigrationList = [access];
