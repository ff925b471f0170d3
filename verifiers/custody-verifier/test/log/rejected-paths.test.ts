import { describe, expect, test } from '@jest/globals';
import {
  consistencyFault,
  entryLeafHash,
  inclusionRoot,
  leafHash,
  proveConsistency,
  proveInclusion,
  Rejection,
  rootOf,
} from '../../src/index.ts';
import { aLog, otherLeaf } from '../samples/a-signed-log.ts';

const leaves = Array.from({ length: 8 }, (_, n) => otherLeaf(n));
const log = await aLog(leaves);
const state = async (size: number) => ({ size, root: await log.rootAt(size) });
const leaf = leafHash(leaves[0]!);

test('the leaf of an entry is that of the bytes of its hash', () => {
  expect(entryLeafHash('ab'.repeat(32))).toEqual(leafHash(Buffer.alloc(32, 0xab)));
});

test('a root is read from as few nodes as there are', async () => {
  const read: number[] = [];
  const hashesAt: typeof log.hashesAt = (nodes) => {
    read.push(nodes.length);
    return log.hashesAt(nodes);
  };
  expect(await rootOf(8, hashesAt)).toEqual(await log.rootAt(8));
  expect(await rootOf(7, hashesAt)).toEqual(await log.rootAt(7));
  expect(read).toEqual([1, 3]);
});

describe('why a path proves nothing:', () => {
  test('it is too long or too short for the log', async () => {
    const path = await proveInclusion(0, 8, log.hashesAt);
    expect(() => inclusionRoot(0, 8, leaf, [...path, leaf])).toThrow(
      new Rejection('the inclusion path is too long'),
    );
    expect(() => inclusionRoot(0, 8, leaf, path.slice(1))).toThrow(
      new Rejection('the inclusion path is too short'),
    );
  });

  test.each([
    [8, 8],
    [-1, 8],
    [0.5, 8],
    [0, 8.5],
  ])('there is no leaf %p in a log of %p', async (index, size) => {
    const reason = `there is no leaf ${index} in a log of ${size}`;
    expect(() => inclusionRoot(index, size, leaf, [])).toThrow(new Rejection(reason));
    await expect(proveInclusion(index, size, log.hashesAt)).rejects.toThrow(new RangeError(reason));
  });

  test('two logs differ, or the path has another length', async () => {
    const [three, four, eight] = [await state(3), await state(4), await state(8)];
    const path = await proveConsistency(3, 8, log.hashesAt);
    const fromFour = await proveConsistency(4, 8, log.hashesAt);
    const fault = (...[before, after, of]: Parameters<typeof consistencyFault>) =>
      consistencyFault(before, after, of);
    expect(fault(eight, three, [])).toBe('the earlier log is the longer one');
    expect(fault(three, three, [leaf])).toBe('the consistency path is too long');
    const other = { size: 3, root: leaf };
    expect(fault(other, three, [])).toBe('logs of the same size have different roots');
    expect(fault(three, eight, [])).toBe('the consistency path is too short');
    expect(fault(four, eight, [])).toBe('the consistency path is too short');
    expect(fault(three, eight, [...path, leaf])).toBe('the consistency path is too long');
    expect(fault(four, eight, [...fromFour, leaf])).toBe('the consistency path is too long');
    expect(fault(three, eight, path.slice(0, -1))).toBe('the consistency path is too short');
    expect(fault(other, eight, path)).toBe('the path does not lead to the earlier root');
    const later = { size: 8, root: leaf };
    expect(fault(three, later, path)).toBe('the path does not lead to the later root');
    expect(fault(three, eight, path)).toBeNull();
  });

  test.each([
    [-1, 3],
    [0.5, 3],
    [1, 3.5],
    [Number.NaN, 3],
  ])('sizes are whole numbers, not %p and %p', async (earlier, later) => {
    await expect(proveConsistency(earlier, later, log.hashesAt)).rejects.toThrow(
      new RangeError('sizes are whole numbers from 0'),
    );
  });

  test('no log begins with a longer one', async () => {
    await expect(proveConsistency(2, 1, log.hashesAt)).rejects.toThrow(
      new RangeError('a log of 1 has no first 2 leaves'),
    );
  });
});
