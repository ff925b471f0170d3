import { execute, type Sql } from '@pto/database';
import { type LogKey, listKeys } from '../log/keys.ts';
import { readCheckpoint, readLines, signersOf } from '../log/note-signer.ts';
import { tables } from '../schema/ledger-database.ts';
import { logViolation, type Violation } from '../verification/violation.ts';
import type { AuditorState } from './state.ts';

const pageSize = 500;

type Signed = Pick<AuditorState, 'vkeys' | 'note'>;

/**
 * Verifies that each checkpoint after the last verified one is signed by a trusted key. A key that
 * signed a checkpoint together with a trusted key is trusted from then on, because a rotation of
 * keys has an overlap in which both keys sign. The keys of the first checkpoint are trusted on
 * first use. Keys are read after the checkpoints, because a key is registered before it signs and
 * is never deleted.
 * @returns the state to store, and the violations; checkpoints after a violation are not verified.
 */
export const auditSignatures = async (
  sql: Sql,
  verified: Signed,
): Promise<Signed & { violations: Violation[] }> => {
  let { vkeys, note } = verified;
  let time = note === null ? null : readLines(note).time;
  for (;;) {
    const rows = await execute(
      sql,
      tables
        .selectFrom('log_checkpoints')
        .select('note')
        .where('size', '>', `${note === null ? 0 : readCheckpoint(note).size}`)
        .orderBy('size')
        .limit(pageSize),
    );
    const keys = await listKeys(sql);
    const registered = keys.map(({ vkey }) => vkey);
    for (const row of rows) {
      time = laterOf(time, timeOf(row.note));
      const signed = await signersOf(row.note, [...new Set([...vkeys, ...registered])]);
      const signers = signed.filter((vkey) => !hasEnded(keys, vkey, time));
      const trusted = vkeys.length === 0 || signers.some((vkey) => vkeys.includes(vkey));
      if (signers.length === 0 || !trusted) {
        const { size } = readCheckpoint(row.note);
        const reason = `the checkpoint over ${size} leaves is not signed by a key that was known before`;
        return { vkeys, note, violations: [logViolation(reason)] };
      }
      vkeys = [...new Set([...vkeys, ...signers])];
      note = row.note;
    }
    if (rows.length < pageSize) return { vkeys, note, violations: [] };
  }
};

/** Returns a checkpoint's own time; null if it has none, or if the note is malformed. */
const timeOf = (note: string): string | null => {
  try {
    return readLines(note).time;
  } catch {
    return null;
  }
};

/** Times of checkpoints never decrease, so an earlier or missing time counts as the one before. */
const laterOf = (before: string | null, own: string | null): string | null =>
  before === null || (own !== null && own > before) ? own : before;

const hasEnded = (keys: readonly LogKey[], vkey: string, time: string | null): boolean => {
  const until = keys.find((key) => key.vkey === vkey)?.validUntil ?? null;
  return until !== null && time !== null && time > until;
};
