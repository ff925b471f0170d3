/** Complete proof files with a log of their own: of the forger, or of the genuine log. */
import {
  type ChainEntry,
  genesisHash,
  genesisRule,
  type ProofFile,
  proofVersion,
  proveInclusion,
  toBase64,
} from '../../src/index.ts';
import { type NoteKey, vkeyOfSigner } from '../../src/note/sign-note.ts';
import { chained, entries, orderId, type Unlinked } from './a-proof.ts';
import { aLog, otherLeaf } from './a-signed-log.ts';

export const validFrom = '2026-01-01T00:00:00.000Z';

/** A history that never happened: the goods were delivered half an hour earlier. */
export const inventedEntries: ChainEntry[] = chained(orderId, [
  ...(entries.slice(0, 2) as Unlinked[]),
  { ...(entries[2] as Unlinked), ts_utc: '2026-01-15T10:32:59.001Z' },
]);

/** A proof file without a log part. */
export const unsigned = (of: readonly ChainEntry[]): ProofFile => ({
  v: proofVersion,
  order_id: orderId,
  genesis: { rule: genesisRule, hash: genesisHash(orderId) },
  entries: of,
  count: of.length,
  head_hash: of.at(-1)!.event_hash,
  log: null,
  keys: [],
});

/** A proof file whose checkpoint note is written by `sign`; the leaf is that of `leaf`. */
export const signedBy = async (
  of: readonly ChainEntry[],
  {
    origin,
    keys,
    sign,
    leaf = of.at(-1)!,
    size = 57,
  }: {
    origin: string;
    keys: readonly NoteKey[];
    sign: (text: { size: number; root: Uint8Array }) => string;
    leaf?: ChainEntry;
    size?: number;
  },
): Promise<ProofFile> => {
  const index = 20;
  const leaves = Array.from({ length: size }, (_, n) =>
    n === index ? Buffer.from(leaf.event_hash, 'hex') : otherLeaf(n),
  );
  const log = await aLog(leaves);
  return {
    ...unsigned(of),
    log: {
      origin,
      leaf_index: index,
      tree_size: size,
      inclusion: (await proveInclusion(index, size, log.hashesAt)).map(toBase64),
      checkpoint: sign({ size, root: await log.rootAt(size) }),
    },
    keys: keys.map((key) => ({
      vkey: vkeyOfSigner(key),
      valid_from: validFrom,
      valid_until: null,
    })),
  };
};
