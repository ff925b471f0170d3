import { checkpointLines, checkpointText, rootOf } from '@pto/custody-verifier';
import {
  type Database,
  execute,
  fragment,
  type Placeholders,
  statement,
  type Transaction,
  uuidv7,
} from '@pto/database';
import { addToOutbox } from '@pto/outbox';
import { custodyCheckpointsTopic } from '@pto/proto/topics';
import type { Anchor } from '../anchor/anchor.ts';
import { holdLog } from '../log/integrate.ts';
import { areCurrentKeys } from '../log/keys.ts';
import { type NoteSigner, readLines } from '../log/note-signer.ts';
import { nodesOf } from '../log/stored-log.ts';
import {
  deleteSuperseded,
  extendIndex,
  extendMax,
  type IndexVersion,
  newestIndex,
} from '../order-index/order-index.ts';
import { tables } from '../schema/ledger-database.ts';
import {
  type Checkpoint,
  contradiction,
  lastCheckpoint,
  nextTime,
  storeCheckpoint,
} from './stored-checkpoints.ts';

export interface Signing {
  readonly db: Database;
  readonly origin: string;
  readonly signer: NoteSigner;
  readonly anchor: Anchor;
  /** Minimum time between two checkpoints. */
  readonly intervalMs: number;
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
  { origin, signer, intervalMs }: Signing,
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
  const time = await nextTime(tx, last, intervalMs);
  if (time === null || !(await areCurrentKeys(tx, signer.vkeys))) return null;
  const index = await indexForCheckpoint(tx, last, state.size);
  if (!index) return null; // a lost index must be built again first
  const { size, root: indexRoot } = index;
  const root = await rootOf(size, nodesOf(tx));
  const lines = checkpointLines({ indexRoot, time });
  const note = signer.sign(checkpointText({ origin, size, root }) + lines);
  await storeCheckpoint(tx, { size: `${size}`, root: Buffer.from(root), note });
  const value = Buffer.from(note);
  const message = { topic: custodyCheckpointsTopic, key: origin, id: uuidv7(), value };
  await addToOutbox(tx, [{ ...message, type: 'checkpoint' }]);
  return null;
};

const hourAgo = fragment<string>`clock_timestamp() - interval '1 hour'`;

const newestUnanchored = statement(() =>
  tables
    .selectFrom('log_state as s')
    .crossJoinLateral(
      tables
        .selectFrom('log_checkpoints')
        .selectAll()
        .orderBy('size', 'desc')
        .limit(fragment.lit(1))
        .as('c'),
    )
    .select(({ eb, or }) => [
      'c.size',
      'c.note',
      or([eb.ref('c.hourly'), eb('c.signed_at', '<', hourAgo)])
        .$castTo<boolean>()
        .as('hourly'),
    ])
    .where(({ and, eb, or, ref }) =>
      or([
        eb('c.size', '>', ref('s.anchored_size')),
        and([eb('c.size', '>', ref('s.anchored_hourly_size')), eb('c.signed_at', '<', hourAgo)]),
      ]),
    ),
);

const recordAnchored = statement((given: Placeholders<{ size: string; hourly: boolean }>) =>
  tables.updateTable('log_state').set(({ cast, fn, lit, ref }) => {
    const size = cast<string>(given.size, 'bigint');
    const hourlySize = fragment<string>`case when ${given.hourly}::boolean then ${size} else ${lit(0)} end`;
    return {
      anchored_size: fn<string>('greatest', [ref('anchored_size'), size]),
      anchored_hourly_size: fn<string>('greatest', [ref('anchored_hourly_size'), hourlySize]),
    };
  }),
);

/**
 * Appends the newest signed checkpoint to the anchor and records it as anchored. Does nothing if
 * the checkpoint is recorded as anchored already. The checkpoint may be one that a crashed process
 * or another replica signed and did not anchor. If the newest checkpoint is more than an hour old,
 * it is appended again as an hourly one, because the log may stay unchanged for longer than the
 * anchor stores other checkpoints. No transaction is open during calls of the anchor. Replicas may
 * call this function concurrently: the anchor stores equal notes one time.
 */
export const anchorNewest = async (db: Database, anchor: Anchor): Promise<void> => {
  const [pending] = await newestUnanchored(db);
  if (!pending) return;
  await anchor.append(pending.note, pending.hourly);
  await recordAnchored(db, { size: pending.size, hourly: pending.hourly });
};

/**
 * Extends the stored index to the leaves of the next checkpoint, in the transaction that signs the
 * checkpoint (decision 52). A checkpoint covers at most {@link extendMax} more leaves than the
 * stored index.
 * @param last the newest checkpoint, or null.
 * @param size number of leaves in the log.
 * @returns the index, whose size is the number of leaves that the checkpoint covers; null while no
 *   checkpoint can be signed, because a lost index is being built again.
 * @throws Error if the stored index does not have the root that the last checkpoint carries.
 */
export const indexForCheckpoint = async (
  tx: Transaction,
  last: Pick<Checkpoint, 'size' | 'note'> | null,
  size: number,
): Promise<IndexVersion | null> => {
  const index = await newestIndex(tx);
  if (index.size < (last?.size ?? 0)) return null;
  if (last && !Buffer.from(readLines(last.note).indexRoot ?? []).equals(index.root))
    throw new Error(`the stored order index over ${index.size} leaves is not the signed one`);
  return extendIndex(tx, index, Math.min(size, index.size + extendMax));
};

/**
 * Extends the order index by one step of at most `extendMax` leaves, if the newest checkpoint covers
 * more leaves than the index, because the index's tables were emptied. Earlier versions of the
 * index are deleted, because no checkpoint carries their roots.
 * @returns true if the newest checkpoint still covers more leaves than the index; false if not, or
 *   if another replica holds the log's lock.
 */
export const buildIndex = (db: Database): Promise<boolean> =>
  db.transaction(async (tx) => {
    if (!(await holdLog(tx))) return false; // another replica holds the log's lock
    const signed = (await lastCheckpoint(tx))?.size ?? 0;
    const index = await newestIndex(tx);
    if (index.size >= signed) return false;
    const target = Math.min(signed, index.size + extendMax);
    await extendIndex(tx, index, target);
    await deleteSuperseded(tx, 0);
    return target < signed;
  });
