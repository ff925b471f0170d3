import { describe, expect, test } from '@jest/globals';
import { parseNote, Rejection, verifyProof, vkeyOf } from '../../src/index.ts';
import { cosign, vkeyOfSigner, vkeyOfWitness } from '../../src/note/sign-note.ts';
import { cosignatureAlgorithm } from '../../src/note/vkey.ts';
import { readWitnesses, witnessPart } from '../../src/proof/witnesses.ts';
import { checkpoint, proof } from '../samples/a-proof.ts';
import { aKey, logKey, witnessKey } from '../samples/a-signed-log.ts';

const vkeys = [vkeyOfWitness(witnessKey), vkeyOfWitness(aKey('second.example', 10))];
const { text } = parseNote(checkpoint);
const cosignedNote = checkpoint + cosign(text, 1_768_475_000, witnessKey);
const cosigned = [
  { witness: vkeys[0], name: witnessKey.name, cosignedAt: '2026-01-15T11:03:20.000Z' },
];

/** Vkeys of witnesses, each with another public key. */
const distinctWitnesses = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    vkeyOf('witness.example', new Uint8Array(32).fill(n), cosignatureAlgorithm),
  );

describe('witnesses are rejected with the reason:', () => {
  const quorum = 'the quorum is not a number from 1 to the number of witnesses';
  const twice = 'the key of a witness stands there twice';
  const renamed = vkeyOfWitness({ ...witnessKey, name: 'alias.example' });
  test.each([
    ['none', { vkeys: [] }, quorum],
    ['a quorum of 0', { vkeys, quorum: 0 }, quorum],
    ['a quorum of 1.5', { vkeys, quorum: 1.5 }, quorum],
    ['a quorum of 3 of 2', { vkeys, quorum: 3 }, quorum],
    ['101 witnesses', { vkeys: distinctWitnesses(101) }, 'more than 100 witnesses'],
    ['one witness twice', { vkeys: [vkeys[0]!, vkeys[0]!] }, twice],
    ['one key under two names', { vkeys: [vkeys[0]!, renamed] }, twice],
  ])('%s', async (_, witnesses, reason) => {
    expect(() => readWitnesses(witnesses)).toThrow(new Rejection(reason));
    const judged = await verifyProof(JSON.stringify(proof), { witnesses });
    expect(judged).toMatchObject({ verdict: 'invalid', at: 'witnesses', reason });
  });

  test('but not for 100 witnesses, of which all must cosign by default', () => {
    const { keys, quorum: all } = readWitnesses({ vkeys: distinctWitnesses(100) });
    expect([keys.length, all]).toEqual([100, 100]);
  });
});

test('a cosignature is named with its witness and its time', async () => {
  const known = readWitnesses({ vkeys, quorum: 1 });
  expect(await witnessPart(cosignedNote, known)).toEqual({ given: 2, quorum: 1, cosigned });
  expect(await witnessPart(checkpoint, known)).toEqual({ given: 2, quorum: 1, cosigned: [] });
  expect(await witnessPart(null, known)).toEqual({ given: 2, quorum: 1, cosigned: [] });
});

test('a verdict has a part of witnesses only if the caller names witnesses', async () => {
  const file = JSON.stringify({ ...proof, log: { ...proof.log, checkpoint: cosignedNote } });
  const trustedKeys = [vkeyOfSigner(logKey)];
  const without = await verifyProof(file, { trustedKeys });
  expect(without).not.toHaveProperty('witnesses');
  const found = await verifyProof(file, { trustedKeys, witnesses: { vkeys, quorum: 1 } });
  expect(found).toStrictEqual({
    ...without,
    headline:
      'Proven: a trusted key signed the checkpoint that covers this history, and 1 of 2 witnesses cosigned it.',
    witnesses: { given: 2, quorum: 1, cosigned },
  });
});
