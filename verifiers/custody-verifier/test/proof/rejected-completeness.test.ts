import { describe, expect, test } from '@jest/globals';
import { genesisHash, sha256Hex, toBase64, verifyProof } from '../../src/index.ts';
import { vkeyOfSigner } from '../../src/note/sign-note.ts';
import { besideALeaf } from '../forgeries/completeness.ts';
import { checkpointWith, completeProof } from '../samples/a-complete-proof.ts';
import { logKey } from '../samples/a-signed-log.ts';

const trustedKeys = [vkeyOfSigner(logKey)];
const part = completeProof.completeness!;
const root = /^order-index\/1 (.*)$/m.exec(part.checkpoint)![1];
const judge = (file: unknown, keys: Parameters<typeof verifyProof>[1] = { trustedKeys }) =>
  verifyProof(JSON.stringify(file), keys);

describe('a completeness proof is rejected with the reason:', () => {
  const count = 'count is not a whole number';
  const tooLong = 'path is not an array of at most 256 hashes';
  const elsewhere = `the path does not lead from the order to the root ${root} of the index`;
  const zeros = (length: number) => Array(length).fill(toBase64(new Uint8Array(32)));
  test.each([
    ['no object', 7, 'not an object'],
    ['a count as text', { ...part, count: '3' }, count],
    ['half a count', { ...part, count: 2.5 }, count],
    ['a negative count', { ...part, count: -3 }, count],
    ['a count that is no number', { ...part, count: { valueOf: 3 } }, count],
    ['another count', { ...part, count: 2 }, elsewhere],
    [
      'a head that is none',
      { ...part, head_hash: 'x' },
      'head_hash is not 64 lower-case hex digits',
    ],
    ['a path as text', { ...part, path: '' }, tooLong],
    ['257 hashes', { ...part, path: zeros(257) }, tooLong],
    ['256 hashes', { ...part, path: zeros(256) }, elsewhere],
    ['a path that is cut off', { ...part, path: part.path.slice(1) }, elsewhere],
    [
      'a leaf without its key',
      { ...part, other_leaf: { value_hash: zeros(1)[0] } },
      'the member order_key is missing',
    ],
    ['a leaf that is no object', { ...part, other_leaf: [] }, 'not an object'],
  ])('%s', async (_, completeness, reason) => {
    const expected = { verdict: 'invalid', at: 'completeness', reason };
    expect(await judge({ ...completeProof, completeness })).toMatchObject(expected);
  });

  test('entries that are in no log', async () => {
    expect(await judge({ ...completeProof, log: null })).toMatchObject({
      at: 'completeness',
      reason: 'entries that are in no log have no completeness proof',
    });
  });

  test('another head, which the path does not bind for an order without entries', async () => {
    const completeness = { ...besideALeaf.completeness, head_hash: sha256Hex('x') };
    expect(await judge({ ...besideALeaf, completeness })).toMatchObject({
      at: 'completeness',
      reason: 'the signed index says that the last entry of the order is another one',
    });
  });
});

describe('an order without entries, under a checkpoint without a time,', () => {
  const vkey = trustedKeys[0]!;
  const timeless = async () => ({
    ...besideALeaf,
    completeness: {
      ...besideALeaf.completeness,
      checkpoint: await checkpointWith(undefined, null),
    },
  });

  test('is proven by a key that was in use until any time', async () => {
    const keys = { trustedKeys: [{ vkey, valid_until: '2020-01-01T00:00:00.000Z' }] };
    expect(await judge(await timeless(), keys)).toMatchObject({
      verdict: 'proven',
      limit: 'The order had no entries as of checkpoint 57.',
      head: genesisHash(besideALeaf.order_id),
      completeness: { time: null, treeSize: 57, root, signer: 'trusted', key: vkey },
    });
  });
});
