import type { MigrationList } from '@pto/database';
import { baseline } from './20261126060000_orders.ts';
import { disclosures } from './20261127060000_disclosures.ts';
import { evidence } from './20261127070000_evidence.ts';
import { openOrders } from './20261127120000_open_orders.ts';
import { ledgerAudits } from './20261127130000_ledger_audits.ts';
import { doneCommands } from './20261127150000_done_commands.ts';
import { entryOperators } from './20261127160000_entry_operators.ts';
import { incidents } from './20261127190000_incidents.ts';
import { organizationKeys } from './20261128140000_organization_keys.ts';
import { moves } from './20261129080000_moves.ts';
import { topicPartitions } from './20261129120000_topic_partitions.ts';
import { moveFences } from './20261129130000_move_fences.ts';
import { custodyTimes } from './20261129140000_custody_times.ts';
import { evidenceRights } from './20261129180000_evidence_rights.ts';

/** All migrations of this service, in the order of their names. */
export const migrations: MigrationList = [
  baseline,
  disclosures,
  evidence,
  openOrders,
  ledgerAudits,
  doneCommands,
  entryOperators,
  incidents,
  organizationKeys,
  moves,
  topicPartitions,
  moveFences,
  custodyTimes,
  evidenceRights,
];
