/**
 * Verifies that the file has exactly the entries that the signed order index states for the order.
 */
import { fromBase64, isHash, sameBytes, toBase64 } from '../bytes.ts';
import { type IndexLeaf, keyBits } from '../completeness/order-index.ts';
import { orderIndexRoot } from '../completeness/order-proof.ts';
import type { Checkpoint } from '../note/checkpoint.ts';
import { readMembers, readWholeNumber } from '../read-json.ts';
import { at, Rejection } from '../rejection.ts';
import type { CompletenessPart } from './history-verdict.ts';
import { type Included, validKey } from './log-proof.ts';
import type { ProofCompleteness, UnjudgedProof } from './proof-file.ts';
import { type KnownKeys, type Opened, openSigned } from './signed-checkpoint.ts';

export interface Complete {
  /** The signed note as the file contains it. */
  readonly note: unknown;
  readonly checkpoint: Checkpoint;
  readonly part: CompletenessPart;
}

/**
 * Verifies the member `completeness` of a file whose chain is consistent (decision 52).
 * @param included the verified part of the member `log`; null if that member is null.
 * @returns null if the member `completeness` is absent or null.
 * @throws Rejection at `completeness`, or at `keys` or `trusted_keys` if no signing key was valid
 *   when the log signed.
 */
export const proveComplete = async (
  proof: UnjudgedProof,
  included: Included | null,
  keys: KnownKeys,
): Promise<Complete | null> =>
  proof.completeness === null
    ? null
    : at('completeness', async () => {
        const given = readCompleteness(proof.completeness);
        const opened = await openedFor(proof, given.checkpoint, included, keys);
        const { checkpoint, lines, signer } = opened;
        if (!lines.indexRoot) throw new Rejection('the checkpoint carries no order index');
        const root = toBase64(lines.indexRoot);
        if (!sameBytes(lines.indexRoot, orderIndexRoot({ orderId: proof.order_id, ...given })))
          throw new Rejection(
            `the path does not lead from the order to the root ${root} of the index`,
          );
        const entries = proof.entries.length;
        if (given.count !== entries)
          throw new Rejection(
            `the signed index says that the order has ${given.count} entries, the file has ${entries}`,
          );
        if (given.head !== proof.head_hash)
          throw new Rejection(
            'the signed index says that the last entry of the order is another one',
          );
        const key = included?.part.key ?? keyOf(opened);
        const part = { treeSize: checkpoint.size, root, time: lines.time, signer, key };
        return { note: given.checkpoint, checkpoint, part };
      });

/**
 * Opens the checkpoint of the member `completeness`. For an order with entries it must be the
 * checkpoint of the member `log`.
 */
const openedFor = async (
  { entries }: UnjudgedProof,
  note: unknown,
  included: Included | null,
  keys: KnownKeys,
): Promise<Opened> => {
  if (!included && entries.length > 0)
    throw new Rejection('entries that are in no log have no completeness proof');
  if (!included) return await openSigned(note, keys);
  if (note !== included.note) throw new Rejection('its checkpoint is not the one of log');
  return included.opened;
};

const keyOf = (opened: Opened): string | null => {
  const { time } = opened.lines;
  return time === null ? (opened.keys[0]?.vkey ?? null) : validKey(opened, time);
};

const readCompleteness = (value: unknown) => {
  const given = readMembers<keyof ProofCompleteness>(value, members);
  const { head_hash: head, path, other_leaf: other, checkpoint } = given;
  const count = readWholeNumber(given.count, 'count');
  if (!isHash(head)) throw new Rejection('head_hash is not 64 lower-case hex digits');
  if (!Array.isArray(path) || path.length > keyBits)
    throw new Rejection(`path is not an array of at most ${keyBits} hashes`);
  const hashes = path.map((hash) => fromBase64(hash, 32));
  return { count, head, path: hashes, otherLeaf: readOther(other), checkpoint };
};

const readOther = (value: unknown): IndexLeaf | null => {
  if (value === null) return null;
  const { order_key: key, value_hash: hash } = readMembers(value, ['order_key', 'value_hash']);
  return { key: fromBase64(key, 32), value: fromBase64(hash, 32) };
};

const members = ['count', 'head_hash', 'path', 'other_leaf', 'checkpoint'] as const;
