import { describe, expect, test } from '@jest/globals';
import { type ProofOptions, parseNote, verifyProof } from '../../src/index.ts';
import { cosign, vkeyOfSigner, vkeyOfWitness } from '../../src/note/sign-note.ts';
import { besideALeaf } from '../forgeries/completeness.ts';
import { checkpointWith } from '../samples/a-complete-proof.ts';
import { checkpoint, proof } from '../samples/a-proof.ts';
import { logKey, witnessKey } from '../samples/a-signed-log.ts';
import { withCrypto } from '../with-crypto.ts';

const trustedKeys = [vkeyOfSigner(logKey)];
const judge = (file: unknown, options: ProofOptions = {}) =>
  withCrypto(undefined, () => verifyProof(JSON.stringify(file), { trustedKeys, ...options }));
const headline = 'Consistent, but the signer is unknown: this program cannot check signatures.';

describe('without Ed25519', () => {
  test('a file in the log is consistent, and no key is named', async () => {
    expect(await judge(proof)).toMatchObject({
      verdict: 'consistent',
      headline,
      log: { leafIndex: 41, treeSize: 57, signer: 'unchecked', key: null },
    });
  });

  test('cosignatures are not counted', async () => {
    const note = checkpoint + cosign(parseNote(checkpoint).text, 1_768_475_000, witnessKey);
    const file = { ...proof, log: { ...proof.log, checkpoint: note } };
    const witnesses = { vkeys: [vkeyOfWitness(witnessKey)] };
    expect(await judge(file, { witnesses })).toMatchObject({
      verdict: 'consistent',
      headline,
      witnesses: { given: 1, quorum: 1, cosigned: [] },
    });
  });

  test.each([
    ['with a time', undefined],
    ['without a time', null],
  ])('an order without entries, under a checkpoint %s, is consistent', async (_, time) => {
    const note = await checkpointWith(undefined, time);
    const completeness = { ...besideALeaf.completeness, checkpoint: note };
    expect(await judge({ ...besideALeaf, completeness })).toMatchObject({
      verdict: 'consistent',
      headline,
      completeness: { treeSize: 57, signer: 'unchecked', key: null },
    });
  });

  test('a seen checkpoint is not compared', async () => {
    expect(await judge(proof, { seen: { checkpoint } })).toMatchObject({
      verdict: 'invalid',
      at: 'seen.checkpoint',
      reason: 'this program cannot check signatures',
    });
  });

  test('a malformed checkpoint is invalid nevertheless', async () => {
    const file = { ...proof, log: { ...proof.log, checkpoint: 'x' } };
    expect(await judge(file)).toMatchObject({ verdict: 'invalid', at: 'log.checkpoint' });
  });
});
