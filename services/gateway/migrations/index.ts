import type { MigrationList } from '@pto/database';
import { access } from './20261121090000_access.ts';

/** In the order of their names. */
export const migrations: MigrationList = [access];
