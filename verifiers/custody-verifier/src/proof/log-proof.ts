import { fromBase64, sameBytes, toBase64 } from '../bytes.ts';
import { consistencyFault, entryLeafHash, inclusionRoot, pathMax } from '../log/verify-paths.ts';
import type { Checkpoint } from '../note/checkpoint.ts';
import { readMembers, readWholeNumber } from '../read-json.ts';
import { at, Rejection } from '../rejection.ts';
import type { LogPart } from './history-verdict.ts';
import type { ProofLog } from './proof-file.ts';
import { isValidAt, type KnownKeys, type Opened, openSigned } from './signed-checkpoint.ts';

export interface Included {
  /** The signed note as the file contains it. */
  readonly note: unknown;
  readonly opened: Opened;
  readonly part: LogPart;
}

/**
 * Verifies that a signed checkpoint covers the last entry's leaf.
 * @param log the member `log` of a proof file, not null.
 * @param last the last entry of a consistent chain.
 * @throws Rejection at the member that is malformed or proves nothing.
 */
export const proveIncluded = async (
  log: unknown,
  last: { readonly event_hash: string; readonly ts_utc: string },
  keys: KnownKeys,
): Promise<Included> => {
  const given = at('log', () => readMembers<keyof ProofLog>(log, members));
  const index = at('log.inclusion', () => readWholeNumber(given.leaf_index, 'leaf_index'));
  const size = at('log.inclusion', () => readWholeNumber(given.tree_size, 'tree_size'));
  const path = at('log.inclusion', () => readPath(given.inclusion));
  const root = at('log.inclusion', () =>
    inclusionRoot(index, size, entryLeafHash(last.event_hash), path),
  );
  const opened = await at('log.checkpoint', () => openSigned(given.checkpoint, keys));
  const { checkpoint, lines, signer } = opened;
  at('log.checkpoint', () => {
    if (checkpoint.origin !== given.origin)
      throw new Rejection(`the checkpoint is of the log ${checkpoint.origin}, not of log.origin`);
    if (checkpoint.size !== size)
      throw new Rejection(`the checkpoint has ${checkpoint.size} leaves, tree_size says ${size}`);
  });
  if (!sameBytes(root, checkpoint.root))
    throw new Rejection(
      `the path does not lead from the last entry to the root ${toBase64(checkpoint.root)}`,
      'log.inclusion',
    );
  const key = validKey(opened, last.ts_utc);
  const { origin, size: treeSize } = checkpoint;
  const encoded = toBase64(checkpoint.root);
  const indexed = lines.indexRoot !== null;
  const part = { origin, leafIndex: index, treeSize, root: encoded, indexed, signer, key };
  return { note: given.checkpoint, opened, part };
};

/** Reads a path of hashes. @throws Rejection for a malformed path. */
export const readPath = (path: unknown): Uint8Array[] => {
  if (!Array.isArray(path)) throw new Rejection('a path is an array');
  if (path.length > pathMax) throw new Rejection(`a path has at most ${pathMax} hashes`);
  return path.map((hash) => fromBase64(hash, 32));
};

const members = ['origin', 'leaf_index', 'tree_size', 'inclusion', 'checkpoint'] as const;

/**
 * Returns the vkey of the first signing key that was valid at `instant`; null if this program
 * cannot verify signatures.
 * @throws Rejection if no signing key was valid then.
 */
export const validKey = ({ signer, keys }: Opened, instant: string): string | null => {
  if (signer === 'unchecked') return null;
  const key = keys.find((one) => isValidAt(one, instant));
  if (key) return key.vkey;
  const place = signer === 'trusted' ? 'trusted_keys' : 'keys';
  throw new Rejection('the key was out of use before the last entry was made', place);
};

/**
 * Compares the file's checkpoint with a checkpoint that the caller has seen: the longer log must
 * begin with the shorter one.
 * @param path the consistency path from the smaller to the larger log, base64. It may be undefined
 *   only if both logs have the same size or the smaller log is empty.
 * @throws Rejection at `seen.checkpoint` if the file has no checkpoint, the seen checkpoint is not
 *   signed by a known key of the same log, or the path is missing or does not prove that the larger
 *   log begins with the smaller one.
 */
export const checkSeenCheckpoint = (
  note: string,
  path: unknown,
  shown: Checkpoint | null,
  keys: KnownKeys,
): Promise<void> =>
  at('seen.checkpoint', async () => {
    if (!shown) throw new Rejection('the file shows no checkpoint to compare with the seen one');
    const { checkpoint: seen, signer } = await openSigned(note, keys);
    if (signer === 'unchecked') throw new Rejection('this program cannot check signatures');
    if (seen.origin !== shown.origin)
      throw new Rejection(`the seen checkpoint is of another log, ${seen.origin}`);
    const [earlier, later] = seen.size <= shown.size ? [seen, shown] : [shown, seen];
    if (path === undefined && earlier.size > 0 && earlier.size < later.size)
      throw new Rejection(
        `cannot be checked offline: it needs a consistency proof from ${earlier.size} to ${later.size}`,
      );
    const fault = consistencyFault(earlier, later, path === undefined ? [] : readPath(path));
    if (fault) throw new Rejection(`${fault} (sizes ${earlier.size} and ${later.size})`);
  });
