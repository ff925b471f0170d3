import type { MigrationList } from '@pto/database';
import { webhooks } from './20261121090000_webhooks.ts';
import { streams } from './20261121220000_streams.ts';
import { rejectedMessages } from './20261122113000_rejected_messages.ts';
import { probeBudgets } from './20261122140000_probe_budgets.ts';
import { boundedDays } from './20261122143000_bounded_rotation.ts';
import { rowsMoveToTheirDay } from './20261122195000_moving_rotation.ts';
import { lostLeases } from './20261122200000_lost_leases.ts';
import { verifyBy } from './20261122201000_verify_by.ts';
import { discardedMessages } from './20261122203000_discarded_messages.ts';
import { inboxAge } from './20261122204500_inbox_age.ts';
import { consumerPositionsTable } from './20261123003000_consumer_positions.ts';
import { endpointCreations } from './20261126050000_endpoint_creations.ts';

/** All migrations, in the order of their names. */
export const migrations: MigrationList = [
  webhooks,
  streams,
  rejectedMessages,
  probeBudgets,
  boundedDays,
  rowsMoveToTheirDay,
  lostLeases,
  verifyBy,
  discardedMessages,
  inboxAge,
  consumerPositionsTable,
  endpointCreations,
];
