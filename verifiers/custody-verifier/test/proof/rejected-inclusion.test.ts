import { describe, expect, test } from '@jest/globals';
import { verifyProof } from '../../src/index.ts';
import { forged } from '../forgeries/forge.ts';
import { leafIndex, proof, treeSize } from '../samples/a-proof.ts';
import { origin } from '../samples/a-signed-log.ts';

const log = proof.log!;
const root = log.checkpoint.split('\n')[2];

describe('the log part of a file is rejected with the reason:', () => {
  const elsewhere = `the path does not lead from the last entry to the root ${root}`;
  const path = 'log.inclusion';
  test.each([
    ['no object', 'log', [], 'not an object'],
    ['no index', 'log', { ...log, leaf_index: undefined }, 'the member leaf_index is missing'],
    ['an index as text', path, { ...log, leaf_index: '41' }, 'leaf_index is not a whole number'],
    ['a negative index', path, { ...log, leaf_index: -1 }, 'leaf_index is not a whole number'],
    ['a size as text', path, { ...log, tree_size: '57' }, 'tree_size is not a whole number'],
    [
      'the index of the end',
      path,
      { ...log, leaf_index: 57 },
      'there is no leaf 57 in a log of 57',
    ],
    ['the first index', path, { ...log, leaf_index: 0 }, elsewhere],
    ['another index', path, { ...log, leaf_index: leafIndex - 1 }, elsewhere],
    ['a path as text', path, { ...log, inclusion: log.inclusion[0] }, 'a path is an array'],
    [
      '64 hashes',
      path,
      { ...log, inclusion: Array(64).fill(log.inclusion[0]) },
      'the inclusion path is too long',
    ],
    [
      '65 hashes',
      path,
      { ...log, inclusion: Array(65).fill(log.inclusion[0]) },
      'a path has at most 64 hashes',
    ],
    [
      'another origin',
      'log.checkpoint',
      { ...log, origin: 'another.example/log' },
      `the checkpoint is of the log ${origin}, not of log.origin`,
    ],
    [
      'another size',
      'log.checkpoint',
      { ...log, tree_size: treeSize + 1 },
      'the checkpoint has 57 leaves, tree_size says 58',
    ],
    [
      'a checkpoint that is no text',
      'log.checkpoint',
      { ...log, checkpoint: 7 },
      'a signed note is a text',
    ],
  ])('%s', async (_, at, part, reason) => {
    const file = forged((draft) => {
      draft.log = part;
    });
    const expected = { verdict: 'invalid', at, reason };
    expect(await verifyProof(JSON.stringify(file))).toMatchObject(expected);
  });
});
