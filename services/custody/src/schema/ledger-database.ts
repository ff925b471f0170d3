import { consumerEntities } from '@pto/bus';
import { type RowsOf, tablesOf } from '@pto/database';
import { OutboxEntity } from '@pto/outbox';
import { ChainEntity, EntryEntity } from './chains.ts';
import {
  CheckpointEntity,
  LogKeyEntity,
  LogLeafEntity,
  LogStateEntity,
  LogTileEntity,
  QueuedEntryEntity,
} from './log.ts';
import { OrderIndexTileEntity, OrderIndexVersionEntity } from './order-index.ts';
import { CosignatureEntity, WitnessEntity } from './witnesses.ts';

/** All tables of this service's migrated database (test/schema/drift.test.ts). */
export const entities = [
  ChainEntity,
  EntryEntity,
  QueuedEntryEntity,
  LogStateEntity,
  LogLeafEntity,
  LogTileEntity,
  CheckpointEntity,
  LogKeyEntity,
  WitnessEntity,
  CosignatureEntity,
  OrderIndexTileEntity,
  OrderIndexVersionEntity,
  ...consumerEntities,
  OutboxEntity,
] as const;

/** Query builder for these tables. `execute` of @pto/database runs its statements. */
export const tables = tablesOf(entities);

/** Row types of these tables. */
export type Rows = RowsOf<typeof tables>;
