import { consumerEntities } from '@pto/bus';
import { OutboxEntity } from '@pto/outbox';
import { ChainEntity } from './chain.ts';
import { CheckpointEntity } from './checkpoint.ts';
import { CosignatureEntity } from './cosignature.ts';
import { EntryEntity } from './entry.ts';
import { LogKeyEntity } from './log-key.ts';
import { LogLeafEntity } from './log-leaf.ts';
import { LogStateEntity } from './log-state.ts';
import { LogTileEntity } from './log-tile.ts';
import { OrderIndexTileEntity } from './order-index-tile.ts';
import { OrderIndexVersionEntity } from './order-index-version.ts';
import { QueuedEntryEntity } from './queued-entry.ts';
import { WitnessEntity } from './witness.ts';

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
