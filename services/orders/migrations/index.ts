import type { MigrationList } from '@pto/database';
import { orders } from './20261121090000_orders.ts';

/** In the order of their names. */
export const migrations: MigrationList = [orders];
