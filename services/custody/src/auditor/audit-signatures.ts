import type { Sql } from '@pto/database';
import { listKeys } from '../log/keys.ts';
import { readCheckpoint, signersOf } from '../log/note-signer.ts';
import type { Fault } from '../verification/check-chain.ts';
import { logFault } from '../verification/log-fault.ts';
import type { Memory } from './memory.ts';

const pageSize = 500;

/**
 * Whether each checkpoint since the last one seen bears a signature of a key that is believed. A key
 * that has signed beside a believed one is believed from then on: so keys change, and are never
 * swapped. The keys of the very first checkpoint are taken on trust.
 * @returns what to remember, and the faults; nothing behind a fault is remembered.
 */
export const auditSignatures = async (
  sql: Sql,
  memory: Memory,
): Promise<{ memory: Memory; faults: Fault[] }> => {
  const listed = (await listKeys(sql)).map(({ vkey }) => vkey);
  let { vkeys, note } = memory;
  for (;;) {
    const rows = await sql.query<{ note: string }>(
      'select note from log_checkpoints where size > $1 order by size limit $2',
      [note === null ? 0 : readCheckpoint(note).size, pageSize],
    );
    for (const row of rows) {
      const signers = await signersOf(row.note, [...new Set([...vkeys, ...listed])]);
      const believed = vkeys.length === 0 || signers.some((vkey) => vkeys.includes(vkey));
      if (signers.length === 0 || !believed) {
        const { size } = readCheckpoint(row.note);
        const reason = `the checkpoint over ${size} leaves is not signed by a key that was known before`;
        return { memory: { vkeys, note }, faults: [logFault(reason)] };
      }
      vkeys = [...new Set([...vkeys, ...signers])];
      note = row.note;
    }
    if (rows.length < pageSize) return { memory: { vkeys, note }, faults: [] };
  }
};
