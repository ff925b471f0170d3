import { checkpointLines, checkpointText } from '@pto/custody-verifier';
import { type Database, execute, type Transaction, uuidv7 } from '@pto/database';
import { addToOutbox } from '@pto/outbox';
import { custodyCheckpointsTopic } from '@pto/proto/topics';
import type { Anchor } from '../anchor/anchor.ts';
import { anchorNewest } from '../anchor/anchor-newest.ts';
import { holdLog } from '../log/integrate.ts';
import { areCurrentKeys } from '../log/keys.ts';
import { tileReader } from '../log/tile-store.ts';
import { rootAt } from '../log/tree.ts';
import type { NoteSigner } from '../notes/note-signer.ts';
import type { TopTiles } from '../order-index/tile-store.ts';
import { tables } from '../schema/ledger-database.ts';
import { indexForCheckpoint } from './checkpoint-index.ts';
import { contradiction } from './contradiction.ts';
import { isDue, lastCheckpoint, nextTime, storeCheckpoint } from './stored-checkpoints.ts';

export interface Signing {
  readonly db: Database;
  readonly origin: string;
  readonly signer: NoteSigner;
  readonly anchor: Anchor;
  /** Minimum time between two checkpoints. */
  readonly intervalMs: number;
  /** Cache of the order index's upper tiles, so that fewer tiles are read from the database. */
  readonly topTiles?: TopTiles;
}

/**
 * Signs, stores and announces a checkpoint in one transaction, and then anchors it. This happens if
 * leaves were added since the last checkpoint, the interval has passed, the last checkpoint is
 * anchored, this process has the current keys, and the order index is complete. So the anchor lacks
 * at most the newest checkpoint, whichever replica signed it. Before, compares the log with the
 * last signed and the last anchored checkpoint; if the log contradicts either, no checkpoint is
 * signed and the log halts. The checkpoint carries the root of the order index and the time
 * (decision 52).
 * @returns why the log halts, or null.
 */
export const checkpoint = async (signing: Signing): Promise<string | null> => {
  const { db, anchor } = signing;
  await anchorNewest(db, anchor);
  const anchored = await anchor.last();
  const halted = await db.transaction((tx) => signNext(tx, signing, anchored));
  if (halted === null) await anchorNewest(db, anchor);
  return halted;
};

const signNext = async (
  tx: Transaction,
  { origin, signer, intervalMs, topTiles }: Signing,
  anchored: string | null,
): Promise<string | null> => {
  const state = await holdLog(tx);
  if (!state) return null; // another replica holds the log
  const last = await lastCheckpoint(tx);
  const notes = [anchored, last?.note].filter((note) => note !== null && note !== undefined);
  const found = await contradiction(tx, state.size, notes);
  if (found !== null && found !== state.halted)
    await execute(tx, tables.updateTable('log_state').set({ halted: found }));
  const halted = found ?? state.halted; // only the database's owner clears `halted`
  if (halted !== null) return halted;
  const signed = last?.size ?? 0;
  if (state.size === signed || state.anchoredSize < signed) return null;
  if (!(await isDue(tx, intervalMs)) || !(await areCurrentKeys(tx, signer.vkeys))) return null;
  const index = await indexForCheckpoint(tx, last, state.size, topTiles);
  if (!index) return null; // a lost index must be built again first
  const { size, root: indexRoot } = index;
  const root = await rootAt(tileReader(tx), size);
  const lines = checkpointLines({ indexRoot, time: await nextTime(tx, last) });
  const note = signer.sign(checkpointText({ origin, size, root }) + lines);
  await storeCheckpoint(tx, { size: `${size}`, root: Buffer.from(root), note });
  await addToOutbox(tx, [
    {
      topic: custodyCheckpointsTopic,
      key: origin,
      id: uuidv7(),
      type: 'checkpoint',
      value: Buffer.from(note),
    },
  ]);
  return null;
};
