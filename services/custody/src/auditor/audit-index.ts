import { execute, type Given, type Sql, statement } from '@pto/database';
import { readLines } from '../notes/note-signer.ts';
import { auditIndexStep } from '../order-index/audit-step.ts';
import { rebuildIndex } from '../order-index/rebuild-index.ts';
import { indexTilesAt } from '../order-index/tile-store.ts';
import { tables } from '../schema/ledger-database.ts';
import { confirmed } from '../verification/confirm.ts';
import { logViolation, type Violation } from '../verification/violation.ts';
import type { Auditing, AuditorState, IndexPosition } from './state.ts';

/** Size and index root of a signed checkpoint. */
interface Signed {
  readonly size: number;
  /** Null if the checkpoint carries no index root. */
  readonly root: Uint8Array | null;
}

interface Step {
  readonly violations: readonly Violation[];
  /** The verified index; null if there was nothing new, or after a violation. */
  readonly verified: IndexPosition | null;
}

const checkpoints = tables.selectFrom('log_checkpoints').select(['size', 'note']).limit(1);

const addedLeaves = statement((given: Given<{ from: string; end: string }>) =>
  tables
    .selectFrom('log_leaves as l')
    .leftJoin('entries as e', (join) =>
      join.onRef('e.order_id', '=', 'l.order_id').onRef('e.sequence', '=', 'l.sequence'),
    )
    .select(['l.order_id as orderId', 'l.sequence', 'l.event_hash as eventHash'])
    .select('e.prev_event_hash as previousHash')
    .where('l.leaf_index', '>=', given.from)
    .where('l.leaf_index', '<', given.end)
    .orderBy('l.leaf_index'),
);

const nothingNew: Step = { violations: [], verified: null };

/**
 * Computes the order index of each new checkpoint over verified leaves and compares it with the
 * root in the checkpoint (decision 52). From one checkpoint to the next, the audit reads only the
 * new leaves and the tiles on their paths, and verifies each tile against the previous root. The
 * first audit begins with the newest checkpoint; earlier checkpoints are not verified. The audit
 * computes a root from all leaves if it has no verified root yet, or if the tiles of the last
 * verified root are deleted.
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
  // one snapshot for all reads: replaced tiles are deleted after a day, possibly between two reads
  const next = await db.snapshot(async (sql) => {
    const signed = await nextSigned(sql, index.size, log.size);
    if (!signed) return nothingNew;
    return (await isReadable(sql, index.size)) ? continueIndex(sql, index, signed) : signed;
  });
  return 'verified' in next ? next : verifyFromLeaves(db, next);
};

/**
 * Verifies the index root of the newest checkpoint over verified leaves. Does nothing if that
 * checkpoint carries no index root.
 */
const verifyFirst = async (sql: Sql, verifiedLeaves: number): Promise<Step> => {
  const rows = await execute(
    sql,
    checkpoints.where('size', '<=', `${verifiedLeaves}`).orderBy('size', 'desc'),
  );
  const [newest] = rows.map(toSigned);
  return newest?.root ? verifyFromLeaves(sql, newest) : nothingNew;
};

const continueIndex = async (sql: Sql, index: IndexPosition, signed: Signed): Promise<Step> => {
  const rows = await addedLeaves(sql, { from: `${index.size}`, end: `${signed.size}` });
  // an entry may be lost since it was audited: the next full audit reports the loss, and its hash
  // is not compared here
  const leaves = rows.map((row) => ({ ...row, previousHash: row.previousHash ?? undefined }));
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
  const rows = await execute(
    sql,
    checkpoints.where('size', '>', `${after}`).where('size', '<=', `${upTo}`).orderBy('size'),
  );
  return rows.map(toSigned)[0];
};

const isReadable = async (sql: Sql, size: number): Promise<boolean> => {
  const rows = await execute(
    sql,
    tables.selectFrom('order_index_versions').select('size').where('size', '=', `${size}`),
  );
  return rows.length > 0;
};

const toSigned = ({ size, note }: { size: string; note: string }): Signed => ({
  size: Number(size),
  root: readLines(note).indexRoot,
});
