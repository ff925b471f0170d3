import { sqlMigration } from '@pto/database';

/** Operators list and search the open orders of all organizations. */
export const openOrders = sqlMigration('20261127120000_open_orders', [
  `create index orders_open on orders (id) where status not in ('CLOSED', 'CANCELLED')`,
]);
