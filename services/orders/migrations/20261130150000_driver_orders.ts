import { shortMigration } from '@pto/database';

/** Which drivers an order has or had: a record that arrives late belongs to one of them. */
export const driverOrders = shortMigration('20261130150000_driver_orders', [
  `create table driver_orders (
    organization_id uuid not null,
    -- a driver in the database of operators
    driver_id uuid not null,
    order_id uuid not null,
    primary key (organization_id, order_id, driver_id)
  )`,
  'create index driver_orders_by_driver on driver_orders (driver_id, order_id)',
]);
