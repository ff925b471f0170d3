import type { MigrationList } from '@pto/database';
import { baseline } from './20261129180000_orders.ts';
import { openIncidents } from './20261130010000_open_incidents.ts';
import { carriers } from './20261130042000_carriers.ts';
import { ordersByReference, withoutOrdersNewest } from './20261130110000_orders_by_reference.ts';
import { driverOrders } from './20261130150000_driver_orders.ts';
import { heldBy } from './20261130160000_held_by.ts';
import { handoverCodes } from './20261130200000_handover_codes.ts';
import { expectedDue, expectedTimes } from './20261130210000_expected_times.ts';

/** All migrations of this service, in the order of their names. */
export const migrations: MigrationList = [
  ...[baseline, openIncidents, carriers],
  ...[ordersByReference, withoutOrdersNewest, driverOrders, heldBy, handoverCodes],
  ...[expectedTimes, expectedDue],
];
