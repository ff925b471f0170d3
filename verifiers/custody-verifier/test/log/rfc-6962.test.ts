import { describe, expect, test } from '@jest/globals';
import {
  consistencyFault,
  emptyRoot,
  inclusionRoot,
  leafHash,
  nodeHash,
  proveConsistency,
  proveInclusion,
  Rejection,
  rootOf,
} from '../../src/index.ts';
import { aLog, otherLeaf } from '../samples/a-signed-log.ts';

/** The definition of RFC 6962, section 2.1, word for word. */
const merkleTreeHash = (leaves: readonly Uint8Array[]): Uint8Array => {
  if (leaves.length === 0) return emptyRoot();
  if (leaves.length === 1) return leafHash(leaves[0]!);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  return nodeHash(merkleTreeHash(leaves.slice(0, k)), merkleTreeHash(leaves.slice(k)));
};

const sizes = 68;
const leaves = Array.from({ length: sizes }, (_, n) => otherLeaf(n));
const roots = Array.from({ length: sizes + 1 }, (_, size) => merkleTreeHash(leaves.slice(0, size)));
const log = await aLog(leaves);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

test('roots are those that the Certificate Transparency project publishes', async () => {
  const published = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657'].concat(
    '606162636465666768696a6b6c6d6e6f',
  );
  const small = await aLog(published.map((data) => Buffer.from(data, 'hex')));
  const all = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7, 8].map((n) => rootOf(n, small.hashesAt)));
  expect(all.map(hex)).toEqual([
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ]);
});

test('a log that grows in steps of any size has the defined root at every size', async () => {
  const grown = await aLog([]);
  for (let [size, step] = [0, 1]; size < sizes; size += step, step = (step % 5) + 1)
    await grown.append(leaves.slice(size, size + step), size);
  for (let size = 0; size <= sizes; size++)
    expect(hex(await rootOf(size, grown.hashesAt))).toBe(hex(roots[size]!));
});

describe('every leaf of every log', () => {
  test('is proved by its path, and at no other place, size or length', async () => {
    for (let size = 1; size <= sizes; size++)
      for (let index = 0; index < size; index++) {
        const path = await proveInclusion(index, size, log.hashesAt);
        const leaf = leafHash(leaves[index]!);
        expect(hex(inclusionRoot(index, size, leaf, path))).toBe(hex(roots[size]!));
        expect(rootAt(index, size, leaf, [...path, leaf])).toBe('refused');
        if (path.length > 0) expect(rootAt(index, size, leaf, path.slice(1))).toBe('refused');
        if (index + 1 < size)
          expect(rootAt(index + 1, size, leaf, path)).not.toBe(hex(roots[size]!));
      }
  });

  const rootAt = (...args: Parameters<typeof inclusionRoot>): string => {
    try {
      return hex(inclusionRoot(...args));
    } catch (error) {
      expect(error).toBeInstanceOf(Rejection);
      return 'refused';
    }
  };

  test.each([
    [1, 1],
    [-1, 1],
    [0, 0],
    [0.5, 2],
    [0, 2 ** 53],
    [Number.NaN, 3],
  ])('but there is no leaf %p in a log of %p', async (index, size) => {
    expect(rootAt(index, size, leaves[0]!, [])).toBe('refused');
    await expect(proveInclusion(index, size, log.hashesAt)).rejects.toThrow(RangeError);
  });

  test('leads to a root in logs beyond 32 bits too', () => {
    const path = Array.from({ length: 52 }, (_, n) => otherLeaf(n));
    expect(rootAt(2 ** 52 - 2, 2 ** 52, leaves[0]!, path)).toHaveLength(64);
    expect(rootAt(2 ** 52 - 2, 2 ** 52, leaves[0]!, path.slice(1))).toBe('refused');
  });
});

test('every log begins with every smaller one, and the path shows it for no other root', async () => {
  for (let later = 0; later <= sizes; later++)
    for (let earlier = 0; earlier <= later; earlier++) {
      const path = await proveConsistency(earlier, later, log.hashesAt);
      const [before, after] = [
        { size: earlier, root: roots[earlier]! },
        { size: later, root: roots[later]! },
      ];
      expect(consistencyFault(before, after, path)).toBeNull();
      expect(consistencyFault(before, after, [...path, leaves[0]!])).not.toBeNull();
      expect(consistencyFault({ ...before, root: leaves[0]! }, after, path)).not.toBeNull();
      // What is after an empty log cannot contradict it.
      if (earlier > 0)
        expect(consistencyFault(before, { ...after, root: leaves[0]! }, path)).not.toBeNull();
      if (path.length > 0) expect(consistencyFault(before, after, path.slice(1))).not.toBeNull();
    }
});

test('a log cannot begin with a longer one', async () => {
  expect(consistencyFault({ size: 2, root: roots[2]! }, { size: 1, root: roots[1]! }, [])).toMatch(
    /longer/,
  );
  await expect(proveConsistency(2, 1, log.hashesAt)).rejects.toThrow(RangeError);
});
