import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { subtreeHash, subtreeOfLeaves } from '../../src/completeness/order-index.ts';
import {
  emptyIndexHash,
  type IndexLeaf,
  orderKey,
  Rejection,
  rebuildIndexRoot,
  sha256Hex,
  toBase64,
  valueHash,
} from '../../src/index.ts';
import { memoryIndex } from './memory-index.ts';
import { naiveKey, naiveRoot, naiveValue } from './naive-index.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const orderId = '3f0c1a52-8f5e-4b7e-9b0a-2f6d1c9e7a11';
const head = sha256Hex('head');

/** Keys that agree in many of their first bits, so that the index becomes deep. */
const crowdedKey = fc
  .tuple(fc.constantFrom(0, 3, 4, 8, 17, 31), fc.integer({ min: 0, max: 255 }))
  .map(([at, byte]) => {
    const key = new Uint8Array(32);
    key[at] = byte;
    return key;
  });
const anyKey = fc.oneof(crowdedKey, fc.uint8Array({ minLength: 32, maxLength: 32 }));
const anyValue = fc.uint8Array({ minLength: 32, maxLength: 32 });
const batch = fc.uniqueArray(fc.record({ key: anyKey, value: anyValue }), {
  selector: ({ key }) => hex(key),
  maxLength: 12,
});
describe('hashes', () => {
  test('keys and values are those of the definition', () => {
    expect(hex(orderKey(orderId))).toBe(hex(naiveKey(orderId)));
    for (const entries of [1, 255, 2 ** 32, 2 ** 40 + 7])
      expect(hex(valueHash(entries, head))).toBe(hex(naiveValue(entries, head)));
  });

  test('are pinned', () => {
    expect(toBase64(emptyIndexHash)).toBe('hyNItFhmG4IAJlWgOr8QHVXypkK6MumCsg6q/bvlLPY=');
    const root = subtreeHash({ key: orderKey(orderId), value: valueHash(3, head) });
    expect(toBase64(root)).toBe('AkIS47BCvQYuCDVJ/EsvOh0MAU1NlR4a4VocTpgj03c=');
  });
});

test('an update in batches gives the root of a rebuild from scratch, for any batches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(batch, { maxLength: 6 }), async (batches) => {
      const index = memoryIndex();
      const held = new Map<string, IndexLeaf>();
      let root: Uint8Array = emptyIndexHash;
      for (const leaves of batches) {
        // each update authenticates the tiles that it reads against the root before
        root = await index.update(leaves, root);
        for (const leaf of leaves) held.set(hex(leaf.key), leaf);
        const scratch = subtreeHash(subtreeOfLeaves([...held.values()], 0));
        expect(hex(root)).toBe(hex(scratch));
        expect(hex(root)).toBe(hex(naiveRoot([...held.values()])));
      }
    }),
    { numRuns: 60 },
  );
});

test('the stored tiles are a function of the set of leaves, whatever the order of updates', async () => {
  await fc.assert(
    fc.asyncProperty(batch, fc.nat(), async (leaves, seed) => {
      const [together, apart] = [memoryIndex(), memoryIndex()];
      await together.update(leaves);
      const from = leaves.length === 0 ? 0 : seed % leaves.length;
      for (const leaf of [...leaves.slice(from), ...leaves.slice(0, from)])
        await apart.update([leaf]);
      if (leaves.length > 0) expect(apart.stored).toEqual(together.stored);
    }),
    { numRuns: 60 },
  );
});

describe('from the leaves of the log', () => {
  const logged = Array.from({ length: 400 }, (_, n) => ({
    key: sha256Hex(`order ${n % 150}`),
    sequence: Math.floor(n / 150) + 1,
    head: sha256Hex(`entry ${n}`),
  }));

  test('one pass and 256 passes give the same root', async () => {
    const root = await rebuildIndexRoot(() => logged);
    expect(hex(await rebuildIndexRoot(() => logged, 2))).toBe(hex(root));
    const last = new Map(logged.map((entry) => [entry.key, entry]));
    const leaves = [...last.values()].map(({ key, sequence, head: of }) => ({
      key: Buffer.from(key, 'hex'),
      value: naiveValue(sequence, of),
    }));
    expect(hex(root)).toBe(hex(naiveRoot(leaves)));
  });

  test.each([
    ['a missing entry', logged.filter((_, n) => n !== 160)],
    ['an entry twice', [...logged, logged.at(-1)!]],
    ['entries in another order', logged.toReversed()],
  ])('%s is refused', async (_, entries) => {
    await expect(rebuildIndexRoot(() => entries)).rejects.toThrow(Rejection);
  });
});

test('a stored tile in which any byte is changed is refused against the root', async () => {
  const index = memoryIndex();
  const leaves = Array.from({ length: 40 }, (_, n) => ({
    key: orderKey(randomUUID()),
    value: valueHash(n + 1, sha256Hex(`${n}`)),
  }));
  const root = await index.update(leaves);
  for (const [prefix, tile] of [...index.stored]) {
    for (let at = 0; at < tile.length; at++) {
      const changed = Uint8Array.from(tile);
      changed[at]! ^= 1 << (at % 8);
      index.stored.set(prefix, changed);
      await expect(index.update(leaves, root)).rejects.toThrow(Rejection);
    }
    index.stored.delete(prefix);
    await expect(index.update(leaves, root)).rejects.toThrow(Rejection);
    index.stored.set(prefix, tile);
  }
  expect(hex(await index.update(leaves, root))).toBe(hex(root));
});

test('a leaf that is moved to another place of its tile is refused, though the hash is the same', async () => {
  const index = memoryIndex();
  const key = orderKey(orderId);
  const leaf = { key, value: valueHash(1, head) };
  const root = await index.update([leaf]);
  const tile = index.stored.get('')!;
  for (let place = 0; place < 16; place++) {
    const moved = Uint8Array.from(tile);
    new DataView(moved.buffer).setUint32(0, (1 << (30 - 2 * place)) >>> 0);
    index.stored.set('', moved);
    const updated = index.update([leaf], root);
    if (place === key[0]! >> 4) expect(hex(await updated)).toBe(hex(root));
    else await expect(updated).rejects.toThrow(/does not belong/);
  }
});
