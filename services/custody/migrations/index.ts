import type { MigrationList } from '@pto/database';
import { ledger } from './20261121090000_ledger.ts';

/** In the order of their names. */
export const migrations: MigrationList = [ledger];
