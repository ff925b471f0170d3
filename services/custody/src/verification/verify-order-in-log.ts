import { entryLeafHash, inclusionRoot, proveInclusion } from '@pto/custody-verifier';
import { type Database, execute, type Sql } from '@pto/database';
import type { Anchor } from '../anchor/anchor.ts';
import { lastCheckpoint } from '../checkpoints/stored-checkpoints.ts';
import { readCheckpoint } from '../log/note-signer.ts';
import { nodesOf } from '../log/stored-log.ts';
import { checkLeaf, type StoredLeaf, selectLeaves, toLeaf } from './check-leaf.ts';
import { logViolation, type Violation } from './violation.ts';

/**
 * Proves each entry of one order against the newest anchored checkpoint, with the database's tiles.
 * This detects a ledger that was rewritten consistently, even if the evidence of orders was
 * rewritten as well. Entries after the anchored checkpoint are proven against the newest signed
 * checkpoint. Entries after the signed checkpoint are not proven. The anchor is read before the
 * snapshot, so the snapshot contains what was anchored.
 */
export const verifyOrderInLog = async (
  db: Database,
  anchor: Anchor,
  orderId: string,
): Promise<{ readonly leaves: number; readonly violations: readonly Violation[] }> => {
  const anchored = await anchor.last();
  return db.snapshot(async (sql) => {
    const query = selectLeaves.where('l.order_id', '=', orderId).orderBy('l.sequence');
    const leaves = (await execute(sql, query)).map(toLeaf);
    const signed = await lastCheckpoint(sql);
    // only lost entries are reported here: the caller also checks the chain, which compares the
    // existing entries
    const lost = leaves.filter(({ entry }) => entry === null);
    const violations = lost.flatMap((leaf) => checkLeaf(leaf) ?? []);
    let from = 0;
    for (const note of [anchored, signed?.note ?? null]) {
      if (note === null) continue;
      const { size } = readCheckpoint(note);
      for (const leaf of leaves)
        if (Number(leaf.leaf_index) >= from && Number(leaf.leaf_index) < size)
          violations.push(...(await proveLeaf(sql, note, leaf)));
      from = Math.max(from, size);
    }
    return { leaves: leaves.length, violations };
  });
};

const proveLeaf = async (sql: Sql, note: string, leaf: StoredLeaf): Promise<Violation[]> => {
  const { size, root } = readCheckpoint(note);
  const index = Number(leaf.leaf_index);
  const notProved: Violation = {
    orderId: leaf.order_id,
    entryId: leaf.entry?.id ?? '',
    reason: `the entry is not in the log that the checkpoint over ${size} leaves was signed for`,
  };
  try {
    const path = await proveInclusion(index, size, nodesOf(sql));
    const found = inclusionRoot(index, size, entryLeafHash(leaf.leaf_hash), path);
    return Buffer.from(root).equals(found) ? [] : [notProved];
  } catch (error) {
    return [logViolation((error as Error).message), notProved];
  }
};
