import type { MigrationList } from '@pto/database';
import { orders } from './20261121090000_orders.ts';
import { idempotencyByDay } from './20261121200000_idempotency_by_day.ts';
import { ordersAliveAt } from './20261121210000_orders_alive_at.ts';
import { custodyFault } from './20261121230000_custody_fault.ts';
import { producedEvents } from './20261122100000_produced_events.ts';
import { integrityViolations } from './20261122110000_integrity_violations.ts';
import { rejectedMessages } from './20261122113000_rejected_messages.ts';
import { boundedDays } from './20261122143000_bounded_rotation.ts';
import { rowsMoveToTheirDay } from './20261122195000_moving_rotation.ts';
import { itemsAsJson } from './20261122200000_items_as_json.ts';
import { pollMoments } from './20261122201000_poll_moments.ts';
import { discardedMessages } from './20261122203000_discarded_messages.ts';
import { inboxAge } from './20261122204500_inbox_age.ts';
import { consumerPositionsTable } from './20261123003000_consumer_positions.ts';
import { addressKeysFolded } from './20261126050000_address_keys_folded.ts';

/** All migrations of this service, in the order of their names. */
export const migrations: MigrationList = [
  orders,
  idempotencyByDay,
  ordersAliveAt,
  custodyFault,
  producedEvents,
  integrityViolations,
  rejectedMessages,
  boundedDays,
  rowsMoveToTheirDay,
  itemsAsJson,
  pollMoments,
  discardedMessages,
  inboxAge,
  consumerPositionsTable,
  addressKeysFolded,
];
