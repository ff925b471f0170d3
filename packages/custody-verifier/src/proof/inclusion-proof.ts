/** Whether the last entry is in the signed log. */
import { fromBase64, toBase64 } from '../bytes/base64.ts';
import { sameBytes } from '../bytes/concat.ts';
import { readMembers } from '../json/members.ts';
import { inclusionRoot } from '../log/inclusion.ts';
import { entryLeafHash, pathMax } from '../log/log-hash.ts';
import { type Checkpoint, openCheckpoint } from '../note/checkpoint.ts';
import { at, placed, Refused } from '../refused.ts';
import type { DatedKey } from './keys.ts';
import type { ProofLog } from './proof-file.ts';

export interface Included {
  readonly leafIndex: number;
  readonly checkpoint: Checkpoint;
  readonly key: DatedKey;
}

/**
 * @param log the member `log` of a proof file, not null.
 * @param last the last entry of a chain that is whole.
 * @throws Refused
 */
export const proveIncluded = async (
  log: unknown,
  last: { readonly event_hash: string; readonly ts_utc: string },
  keys: readonly DatedKey[],
): Promise<Included> => {
  const given = at('log', () => readMembers<keyof ProofLog>(log, members));
  const index = at('log.inclusion', () => wholeNumber(given.leaf_index, 'leaf_index'));
  const size = at('log.inclusion', () => wholeNumber(given.tree_size, 'tree_size'));
  const path = at('log.inclusion', () => readPath(given.inclusion));
  const root = at('log.inclusion', () =>
    inclusionRoot(index, size, entryLeafHash(last.event_hash), path),
  );
  const { checkpoint, key } = await opened(given.checkpoint, keys);
  at('log.checkpoint', () => {
    if (checkpoint.origin !== given.origin)
      throw new Refused(`the checkpoint is of the log ${checkpoint.origin}, not of log.origin`);
    if (checkpoint.size !== size)
      throw new Refused(`the checkpoint has ${checkpoint.size} leaves, tree_size says ${size}`);
  });
  if (!sameBytes(root, checkpoint.root))
    throw new Refused(
      `the path does not lead from the last entry to the root ${toBase64(checkpoint.root)}`,
      'log.inclusion',
    );
  const dated = keys.find(({ vkey }) => vkey === key.vkey)!;
  if (
    dated.validUntil !== null &&
    Date.parse(dated.validUntil) + aheadMaxMs < Date.parse(last.ts_utc)
  )
    throw new Refused('the key was out of use before the last entry was made', 'keys');
  return { leafIndex: index, checkpoint, key: dated };
};

/**
 * Reads a path of hashes.
 * @throws Refused
 */
export const readPath = (path: unknown): Uint8Array[] => {
  if (!Array.isArray(path)) throw new Refused('a path is an array');
  if (path.length > pathMax) throw new Refused(`a path has at most ${pathMax} hashes`);
  return path.map((hash) => fromBase64(hash, 32));
};

const members = ['origin', 'leaf_index', 'tree_size', 'inclusion', 'checkpoint'] as const;

/** How far an entry's time may run ahead of the clock (decision 30). */
const aheadMaxMs = 5 * 60_000;

const wholeNumber = (value: unknown, name: string): number => {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw new Refused(`${name} is not a whole number`);
  return value;
};

const opened = async (note: unknown, keys: readonly DatedKey[]) => {
  try {
    return await openCheckpoint(note, keys);
  } catch (error) {
    throw placed('log.checkpoint', error);
  }
};
