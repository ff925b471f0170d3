import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  emptyIndexHash,
  type OrderInIndex,
  orderIndexRoot,
  orderKey,
  Rejection,
  sha256Hex,
  valueHash,
} from '../../src/index.ts';
import { memoryIndex } from './memory-index.ts';

const orders = Array.from({ length: 2000 }, (_, n) => {
  const digits = sha256Hex(`order ${n}`);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-7${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18, 30)}`;
});
const versionsMax = 250;
const headOf = (order: string, count: number) => sha256Hex(`${order} entry ${count}`);

/** A fixed sequence of pseudo-random numbers, so that a failure is found again. */
let state = 1;
const random = (below: number): number => {
  state = (state * 48271) % 2147483647;
  return state % below;
};

const index = memoryIndex();
/** How many entries each order has, by version. */
const counts: Map<string, number>[] = [new Map()];

beforeAll(async () => {
  for (let version = 1; version <= versionsMax; version++) {
    const now = new Map(counts.at(-1));
    const touched = new Set<string>();
    // the last 100 orders never get an entry
    for (let n = random(60); n >= 0; n--) touched.add(orders[random(orders.length - 100)]!);
    const leaves = [...touched].map((order) => {
      const count = (now.get(order) ?? 0) + 1 + random(3);
      now.set(order, count);
      return { key: orderKey(order), value: valueHash(count, headOf(order, count)) };
    });
    counts.push(now);
    await index.update(leaves);
  }
});

const proofOf = async (orderId: string, version: number): Promise<OrderInIndex> => {
  const count = counts[version]!.get(orderId) ?? 0;
  const { path, leaf, included } = await index.prove(orderKey(orderId), version);
  expect(included).toBe(count > 0);
  return {
    orderId,
    count,
    head: count > 0 ? headOf(orderId, count) : '',
    path,
    otherLeaf: included ? null : leaf,
  };
};
/** The root that a proof leads to, or why it leads to none. */
const rootOf = (proof: OrderInIndex): string => {
  try {
    return Buffer.from(orderIndexRoot(proof)).toString('hex');
  } catch (error) {
    if (error instanceof Rejection) return error.message;
    throw error;
  }
};
const rootAt = (version: number) => Buffer.from(index.roots[version]!).toString('hex');

const pairs = Number(process.env.PAIRS ?? 2000);

test('random pairs of order and checkpoint are proved, and no shorter history is', async () => {
  const seen = { included: 0, otherLeaf: 0, empty: 0 };
  for (let pair = 0; pair < pairs; pair++) {
    const version = random(versionsMax + 1);
    const proof = await proofOf(orders[random(orders.length)]!, version);
    seen[proof.count > 0 ? 'included' : proof.otherLeaf ? 'otherLeaf' : 'empty']++;
    expect(rootOf(proof)).toBe(rootAt(version));
    // about twice the logarithm of 2,000 orders at most
    expect(proof.path.length).toBeLessThanOrEqual(26);
    const { orderId, count } = proof;
    if (count > 0) {
      const without = { ...proof, count: count - 1, head: headOf(orderId, count - 1) };
      expect(rootOf(without)).not.toBe(rootAt(version));
    }
    const older = random(version + 1);
    if ((counts[older]!.get(orderId) ?? 0) !== count) expect(rootOf(proof)).not.toBe(rootAt(older));
  }
  for (const kind of Object.values(seen)) expect(kind).toBeGreaterThan(pairs / 100);
}, 60_000);

describe('refused is', () => {
  const version = versionsMax;
  const present = () => orders.find((order) => counts[version]!.has(order))!;
  const absent = orders.slice(-100);

  test('every path that is truncated, extended or reordered', async () => {
    for (const orderId of [present(), ...absent.slice(0, 20)]) {
      const proof = await proofOf(orderId, version);
      const { path } = proof;
      const changed = [
        ...path.map((_, n) => path.toSpliced(n, 1)),
        ...Array.from({ length: path.length + 1 }, (_, n) => path.toSpliced(n, 0, emptyIndexHash)),
        ...path.map((hash, n) => path.toSpliced(n, 0, hash)),
        ...path.slice(1).map((hash, n) => path.toSpliced(n, 2, hash, path[n]!)),
        path.toReversed(),
        [],
      ];
      const text = (of: readonly Uint8Array[]) => of.map((hash) => hash.join()).join('|');
      for (const other of changed.filter((each) => text(each) !== text(path)))
        expect(rootOf({ ...proof, path: other })).not.toBe(rootAt(version));
    }
  });

  test('another count or another head', async () => {
    const proof = await proofOf(present(), version);
    for (const count of [0, proof.count - 1, proof.count + 1, 2 ** 32 + proof.count])
      expect(rootOf({ ...proof, count })).not.toBe(rootAt(version));
    expect(rootOf({ ...proof, head: sha256Hex('x') })).not.toBe(rootAt(version));
  });

  test('the proof of another order', async () => {
    const proof = await proofOf(present(), version);
    expect(rootOf({ ...proof, orderId: absent[0]! })).not.toBe(rootAt(version));
  });

  test('absence of an order that the index holds', async () => {
    const proof = await proofOf(present(), version);
    const own = { key: orderKey(proof.orderId), value: valueHash(proof.count, proof.head) };
    const claim = { ...proof, count: 0, head: '' };
    expect(rootOf(claim)).not.toBe(rootAt(version));
    expect(() => orderIndexRoot({ ...claim, otherLeaf: own })).toThrow(/key of this order/);
  });

  test('absence shown by a leaf that is not on the way to the order', async () => {
    for (const orderId of absent) {
      const proof = await proofOf(orderId, version);
      const elsewhere = await proofOf(present(), version);
      const leaf = {
        key: orderKey(elsewhere.orderId),
        value: valueHash(elsewhere.count, elsewhere.head),
      };
      const moved = { ...elsewhere, orderId, count: 0, head: '', otherLeaf: leaf };
      expect(() => orderIndexRoot(moved)).toThrow(/not on the way/);
      expect(rootOf({ ...proof, otherLeaf: leaf })).not.toBe(rootAt(version));
    }
  });

  test('a path of more hashes than a key has bits', async () => {
    const proof = await proofOf(present(), version);
    const path = Array.from({ length: 257 }, () => emptyIndexHash);
    expect(() => orderIndexRoot({ ...proof, path })).toThrow(/at most 256/);
  });
});
