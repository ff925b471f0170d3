import type { MigrationList } from '@pto/database';
import { ledger } from './20261121090000_ledger.ts';
import { log } from './20261121220000_log.ts';
import { anchoredCheckpoints } from './20261122100000_anchored_checkpoints.ts';
import { orderIndex } from './20261122103000_order_index.ts';
import { rejectedMessages } from './20261122113000_rejected_messages.ts';
import { witnesses } from './20261122120000_witnesses.ts';
import { logStateGrants } from './20261122143000_log_state_grants.ts';
import { logKeysGrants } from './20261122144500_log_keys_grants.ts';
import { rowsMoveToTheirDay } from './20261122195000_moving_rotation.ts';
import { discardedMessages } from './20261122203000_discarded_messages.ts';
import { inboxAge } from './20261122204500_inbox_age.ts';
import { consumerPositionsTable } from './20261123003000_consumer_positions.ts';
import { hourlyCheckpoints } from './20261124000000_hourly_checkpoints.ts';
import { logQueueOrder } from './20261125000000_log_queue_order.ts';

/** The migrations in the order of their names. */
export const migrations: MigrationList = [
  ledger,
  log,
  anchoredCheckpoints,
  orderIndex,
  rejectedMessages,
  witnesses,
  logStateGrants,
  logKeysGrants,
  rowsMoveToTheirDay,
  discardedMessages,
  inboxAge,
  consumerPositionsTable,
  hourlyCheckpoints,
  logQueueOrder,
];
