/** The order index as its definition reads, without tiles: slow, and independent of the code. */
import { createHash } from 'node:crypto';

const sha = (...parts: (string | Uint8Array)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

export const naiveKey = (orderId: string): Buffer => sha(orderId);

export const naiveValue = (entries: number, head: string): Buffer => {
  const count = Buffer.alloc(8);
  count.writeBigUInt64BE(BigInt(entries));
  return sha('order-index/1 value\n', count, Buffer.from(head, 'hex'));
};

/** A leaf as bits and hash. */
interface NaiveLeaf {
  readonly bits: string;
  readonly hash: Buffer;
}

export const naiveRoot = (leaves: readonly { key: Uint8Array; value: Uint8Array }[]): Buffer =>
  rootOf(
    leaves.map(({ key, value }) => ({
      bits: [...key].map((byte) => byte.toString(2).padStart(8, '0')).join(''),
      hash: sha('order-index/1 leaf\n', key, value),
    })),
    0,
  );

const rootOf = (leaves: readonly NaiveLeaf[], depth: number): Buffer => {
  if (leaves.length === 0) return sha('order-index/1 empty\n');
  if (leaves.length === 1) return leaves[0]!.hash;
  const half = (bit: string) => leaves.filter(({ bits }) => bits[depth] === bit);
  return sha('order-index/1 node\n', rootOf(half('0'), depth + 1), rootOf(half('1'), depth + 1));
};
