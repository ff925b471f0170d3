import type { Sql } from '@pto/database';
import { readLines } from '../notes/note-signer.ts';
import { type AddedLeaf, auditIndexStep } from '../order-index/audit-step.ts';
import { rebuildIndex } from '../order-index/rebuild-index.ts';
import { indexTilesAt } from '../order-index/tile-store.ts';
import { confirmed } from '../verification/confirm.ts';
import { logViolation, type Violation } from '../verification/violation.ts';
import type { Auditing } from './auditing.ts';
import type { AuditorState, IndexPosition } from './state.ts';

/** Size and index root of a signed checkpoint. */
interface Signed {
  readonly size: number;
  /** Null if the checkpoint carries no index root. */
  readonly root: Uint8Array | null;
}

interface Step {
  readonly violations: readonly Violation[];
  /** The verified index; null if there was nothing new. */
  readonly verified: IndexPosition | null;
}

const nothingNew: Step = { violations: [], verified: null };

/**
 * Computes the order index of each checkpoint over verified leaves and compares it with the root in
 * the checkpoint (decision 52). From one checkpoint to the next, only the new leaves and the tiles
 * on their paths are read, and each tile is verified against the previous root. The first root, and
 * one whose tiles are no longer stored, is computed from all leaves.
 */
export const auditIndex = async (
  auditing: Auditing,
  from: AuditorState,
): Promise<{ state: AuditorState; violations: readonly Violation[] }> => {
  for (let state = from; ; ) {
    auditing.stopping.throwIfAborted();
    const check = () => step(auditing, state);
    const { violations, verified } = await confirmed(check, auditing.unconfirmed);
    if (violations.length > 0 || !verified) return { state, violations };
    state = { ...state, index: verified };
  }
};

const step = async ({ db }: Auditing, { index, log }: AuditorState): Promise<Step> => {
  if (!index) return verifyFirst(db, log.size);
  // in one snapshot, because replaced tiles are deleted after a day
  const next = await db.snapshot(async (sql) => {
    const signed = await nextSigned(sql, index.size, log.size);
    if (!signed) return nothingNew;
    return (await isReadable(sql, index.size)) ? continueIndex(sql, index, signed) : signed;
  });
  return 'verified' in next ? next : verifyFromLeaves(db, next);
};

/** Verifies the newest checkpoint over verified leaves, if it carries a root. */
const verifyFirst = async (sql: Sql, verifiedLeaves: number): Promise<Step> => {
  const rows = await sql.query<{ size: string; note: string }>(
    'select size, note from log_checkpoints where size <= $1 order by size desc limit 1',
    [verifiedLeaves],
  );
  const [newest] = rows.map(toSigned);
  return newest?.root ? verifyFromLeaves(sql, newest) : nothingNew;
};

const continueIndex = async (sql: Sql, index: IndexPosition, signed: Signed): Promise<Step> => {
  const leaves = await sql.query<AddedLeaf>(
    `select l.order_id as "orderId", l.sequence, l.event_hash as "eventHash",
       e.prev_event_hash as "previousHash"
     from log_leaves l left join entries e using (order_id, sequence)
     where l.leaf_index >= $1 and l.leaf_index < $2 order by l.leaf_index`,
    [index.size, signed.size],
  );
  const read = indexTilesAt(sql, index.size);
  const found = await auditIndexStep(read, Buffer.from(index.root, 'base64'), leaves);
  if (found.root === null)
    return {
      violations: [{ orderId: found.orderId, entryId: '', reason: `order index: ${found.reason}` }],
      verified: null,
    };
  return compare(signed, found.root);
};

/** Computes the root from all leaves. Leaves never change, so no snapshot is needed. */
const verifyFromLeaves = async (sql: Sql, signed: Signed): Promise<Step> =>
  compare(signed, await rebuildIndex(sql, signed.size));

const compare = ({ size, root }: Signed, computed: Uint8Array): Step =>
  root && Buffer.from(root).equals(computed)
    ? { violations: [], verified: { size, root: Buffer.from(root).toString('base64') } }
    : {
        violations: [
          logViolation(
            root
              ? `the checkpoint over ${size} leaves signs for another order index than its leaves make`
              : `the checkpoint over ${size} leaves carries no root of the order index`,
          ),
        ],
        verified: null,
      };

const nextSigned = async (sql: Sql, after: number, upTo: number): Promise<Signed | undefined> => {
  const rows = await sql.query<{ size: string; note: string }>(
    'select size, note from log_checkpoints where size > $1 and size <= $2 order by size limit 1',
    [after, upTo],
  );
  return rows.map(toSigned)[0];
};

const isReadable = async (sql: Sql, size: number): Promise<boolean> => {
  const rows = await sql.query('select from order_index_versions where size = $1', [size]);
  return rows.length > 0;
};

const toSigned = ({ size, note }: { size: string; note: string }): Signed => ({
  size: Number(size),
  root: readLines(note).indexRoot,
});
