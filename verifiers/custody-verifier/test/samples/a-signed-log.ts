/** A log in memory, and fixed keys: anybody may know them, they sign nothing but test vectors. */
import { createPrivateKey } from 'node:crypto';
import { checkpointText, type HashesAt, type NodeAt, rootOf, sha256Hex } from '../../src/index.ts';
import { leafHash, nodeHash } from '../../src/log/verify-paths.ts';
import { type NoteKey, signNote } from '../../src/note/sign-note.ts';

export const origin = 'custody.vectors.example/log';

/** An Ed25519 key from 32 bytes that all have the same value. */
export const aKey = (name: string, seed: number): NoteKey => {
  const pkcs8 = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([pkcs8, Buffer.alloc(32, seed)]);
  return { name, privateKey: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
};

export const logKey = aKey(origin, 7);
export const otherKey = aKey(origin, 8);
export const witnessKey = aKey('witness.vectors.example', 9);

/** The data of leaves that belong to other orders. */
export const otherLeaf = (n: number): Uint8Array =>
  Buffer.from(sha256Hex(`leaf ${n} of another order`), 'hex');

/** Keeps a log's stored nodes, as the ledger's table will. */
export const aLog = async (leaves: readonly Uint8Array[]) => {
  const nodes = new Map<string, Uint8Array>();
  const name = ({ level, index }: NodeAt) => `${level}/${index}`;
  const hashesAt: HashesAt = async (asked) =>
    asked.map((node) => {
      const hash = nodes.get(name(node));
      if (!hash) throw new Error(`the log does not store ${name(node)}`);
      return hash;
    });
  const append = async (more: readonly Uint8Array[], size: number) => {
    for (const [n, data] of more.entries()) {
      let [level, index, hash] = [0, size + n, leafHash(data)];
      nodes.set(name({ level, index }), hash);
      // a right sibling completes the node above
      while (index % 2 === 1) {
        hash = nodeHash(nodes.get(name({ level, index: index - 1 }))!, hash);
        [level, index] = [level + 1, (index - 1) / 2];
        nodes.set(name({ level, index }), hash);
      }
    }
  };
  await append(leaves, 0);
  const checkpointAt = async (size: number, key = logKey, extension = '') =>
    signNote(checkpointText({ origin, size, root: await rootOf(size, hashesAt) }) + extension, key);
  const rootAt = (size: number) => rootOf(size, hashesAt);
  return { hashesAt, append, checkpointAt, rootAt };
};
