/** Submits the newest anchored checkpoint once to a witness (C2SP tlog-witness). */
import type { Database } from '@pto/database';
import { logSizes } from '../checkpoints/stored-checkpoints.ts';
import { tileReader } from '../log/tile-store.ts';
import { consistencyPath } from '../log/tree.ts';
import { type HttpResponse, readResponse } from './read-response.ts';
import type { Witness } from './witness-setting.ts';
import { newestAnchored, setSize, sizeOf, storeCosignature } from './witness-store.ts';

export type Outcome =
  | { readonly kind: 'cosigned'; readonly size: number }
  /**
   * No submission is needed: another client has submitted a newer checkpoint of this log to the
   * witness, or no checkpoint is anchored.
   */
  | { readonly kind: 'ahead' }
  | { readonly kind: 'contradiction' | 'failure'; readonly detail: string };

/**
 * Number of conflicts after which a submission fails. In a conflict, the witness states that it has
 * cosigned another size than this service assumes.
 */
const conflictsMax = 3;

/**
 * Submits the newest anchored checkpoint, with a consistency proof from the size that the witness
 * cosigned last. No transaction is open during a request.
 * @throws the errors of `send`.
 */
export const submitNewest = async (
  db: Database,
  { key }: Witness,
  send: (body: string) => Promise<HttpResponse>,
): Promise<Outcome> => {
  for (let conflicts = 0; conflicts < conflictsMax; conflicts++) {
    const newest = await newestAnchored(db);
    const old = await sizeOf(db, key.vkey);
    if (!newest || old > newest.size) return { kind: 'ahead' };
    const path = await consistencyPath(tileReader(db), old, newest.size);
    const meaning = await readResponse(
      await send(requestBody(old, path, newest.note)),
      newest.note,
      key,
    );
    if (meaning.kind === 'cosigned') {
      await storeCosignature(db, key.vkey, { size: newest.size, ...meaning });
      return { kind: 'cosigned', size: newest.size };
    }
    if (meaning.kind !== 'conflict') return meaning;
    // read after the response: the witness can know only checkpoints that were signed before its
    // response
    const { signed } = await logSizes(db);
    if (meaning.size > signed)
      return {
        kind: 'contradiction',
        detail: `the witness cosigned a log of ${meaning.size} leaves, and this one has ${signed}`,
      };
    await setSize(db, key.vkey, meaning.size);
  }
  return { kind: 'failure', detail: 'the witness states another size each time' };
};

const requestBody = (old: number, path: readonly Uint8Array[], note: string): string =>
  `old ${old}\n${path.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')}\n${note}`;
