import type { MigrationList } from '@pto/database';
import { baseline } from './20261129180000_access.ts';
import { orderLinks } from './20261130013000_order_links.ts';

/** All migrations of the database `access`, in the order of their names. */
export const migrations: MigrationList = [baseline, orderLinks];
