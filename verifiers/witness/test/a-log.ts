/** A log in memory that signs checkpoints, and forks of it. The keys are those of tests. */
import { createHash } from 'node:crypto';
import {
  checkpointText,
  type HashesAt,
  leafHash,
  nodeHash,
  proveConsistency,
  rootOf,
} from '@pto/custody-verifier';
import { noteKeyOfSeed, signNote, vkeyOfSigner } from '@pto/custody-verifier/sign-note';

export const logKeyOf = (origin: string, seed = 7) => noteKeyOfSeed(origin, Buffer.alloc(32, seed));
export const vkeyOfLog = (origin: string) => vkeyOfSigner(logKeyOf(origin));

/**
 * A log of 20 leaves.
 * @param fork leaves from `shared` on are others for each name.
 */
export const aLog = async (origin: string, { fork = '', shared = 0 } = {}) => {
  const nodes = new Map<string, Uint8Array>();
  const hashesAt: HashesAt = async (wanted) =>
    wanted.map(({ level, index }) => nodes.get(`${level}/${index}`)!);
  const leaves = Array.from({ length: 20 }, (_, n) =>
    createHash('sha256')
      .update(n < shared ? `${n}` : `${n} of ${fork}`)
      .digest(),
  );
  for (let [level, hashes] = [0, leaves.map(leafHash)]; hashes.length > 0; level++) {
    for (const [index, hash] of hashes.entries()) nodes.set(`${level}/${index}`, hash);
    const pairs = Math.floor(hashes.length / 2);
    hashes = Array.from({ length: pairs }, (_, n) => nodeHash(hashes[2 * n]!, hashes[2 * n + 1]!));
  }
  const checkpoint = async (size: number, key = logKeyOf(origin)): Promise<string> =>
    signNote(checkpointText({ origin, size, root: await rootOf(size, hashesAt) }), key);
  const proof = async (old: number, size: number): Promise<string[]> =>
    old === 0 || old >= size
      ? []
      : (await proveConsistency(old, size, hashesAt)).map((hash) =>
          Buffer.from(hash).toString('base64'),
        );
  /** The body of a submission with a correct proof from `old`. */
  const body = async (old: number, size: number): Promise<string> =>
    bodyOf(old, await proof(old, size), await checkpoint(size));
  return { checkpoint, proof, body };
};

export const bodyOf = (old: number | string, proof: readonly string[], note: string): string =>
  `old ${old}\n${proof.map((line) => `${line}\n`).join('')}\n${note}`;
