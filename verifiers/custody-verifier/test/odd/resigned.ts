/** Proof files of any content, signed again: what differs is the form, never a hash or signature. */
import { createPublicKey, type KeyObject, sign } from 'node:crypto';
import { emptyIndexHash } from '../../src/completeness/order-index.ts';
import { genesisHash, genesisRule, proofVersion, toBase64 } from '../../src/index.ts';
import { entryLeafHash } from '../../src/log/verify-paths.ts';
import { keyId, vkeyOf } from '../../src/note/vkey.ts';
import { chained, entries, orderId, type Unlinked } from '../samples/a-proof.ts';
import { logKey, origin as usualOrigin } from '../samples/a-signed-log.ts';

export interface Change {
  readonly unlinked?: readonly Unlinked[];
  readonly origin?: string;
  /** Lines after the third one of the checkpoint. */
  readonly extension?: string;
  readonly size?: number;
  /** The signature line, made into another one. */
  readonly line?: (line: string) => string;
  /** The end of the key's validity, in the file and where it is trusted. */
  readonly until?: string | null;
  /** The vkey, made into another one. */
  readonly vkey?: (vkey: string) => string;
}

const publicKey = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

/** Signs a note without asking whether its name may sign. */
const signed = (text: string, name: string): { line: string; vkey: string } => {
  const { privateKey } = logKey;
  const key = publicKey(privateKey);
  const id = Buffer.from(keyId(name, key), 'hex');
  const signature = Buffer.concat([id, sign(null, Buffer.from(text), privateKey)]);
  return { line: `— ${name} ${signature.toString('base64')}\n`, vkey: vkeyOf(name, key) };
};

/** The last entry is the only leaf of the log. */
export const resigned = ({
  unlinked = entries as readonly Unlinked[],
  origin = usualOrigin,
  extension = '',
  size = 1,
  line = (same) => same,
  until: valid_until = null,
  vkey = (same) => same,
}: Change = {}) => {
  const chain = chained(orderId, unlinked);
  const head_hash = chain.at(-1)!.event_hash;
  const text = `${origin}\n${size}\n${toBase64(entryLeafHash(head_hash))}\n${extension}`;
  const note = signed(text, origin);
  const checkpoint = `${text}\n${line(note.line)}`;
  const keys = [{ vkey: vkey(note.vkey), valid_from: '0001-01-01T00:00:00.000Z', valid_until }];
  return {
    v: proofVersion,
    order_id: orderId,
    genesis: { rule: genesisRule, hash: genesisHash(orderId) },
    entries: chain,
    count: chain.length,
    head_hash,
    log: { origin, leaf_index: 0, tree_size: size, inclusion: [] as string[], checkpoint },
    keys,
  };
};

/** A file of an order without entries, which the signed index of an empty log does not have. */
export const emptyOrder = (size: number | string) => {
  const hash = genesisHash(orderId);
  const index = `order-index/1 ${toBase64(emptyIndexHash)}`;
  const text = `${usualOrigin}\n${size}\n${toBase64(emptyIndexHash)}\n${index}\n`;
  const { line, vkey } = signed(text, usualOrigin);
  const checkpoint = `${text}\n${line}`;
  return {
    v: proofVersion,
    order_id: orderId,
    genesis: { rule: genesisRule, hash },
    entries: [],
    count: 0,
    head_hash: hash,
    log: null,
    keys: [{ vkey, valid_from: '0001-01-01T00:00:00.000Z', valid_until: null }],
    completeness: { count: 0, head_hash: hash, path: [], other_leaf: null, checkpoint },
  };
};
