import { describe, expect, test } from '@jest/globals';
import { checkpointText, parseCheckpoint, parseVkey, signersOf } from '../../src/index.ts';
import { signNote, vkeyOfSigner } from '../../src/note/sign-note.ts';
import { logKey, origin, otherKey, witnessKey } from '../samples/a-signed-log.ts';

const text = checkpointText({ origin, size: 3, root: new Uint8Array(32) });
const note = signNote(text, logKey);
const lineOf = (key: typeof logKey) => signNote(text, key).slice(text.length + 1);
const known = [parseVkey(vkeyOfSigner(logKey))];
const witness = parseVkey(vkeyOfSigner(witnessKey));

test('the key and the note of the C2SP examples are read', async () => {
  // golang.org/x/mod/sumdb/note's example: a key and a note that Go has made.
  const vkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
  const example = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;
  const { text: signed, signers } = await signersOf(example, [parseVkey(vkey)]);
  expect(signed).toMatch(/^If you .* is\.\n$/s);
  expect(signers[0]?.name).toBe('PeterNeumann');
});

test('signatures of unknown keys are passed over, whatever they say', async () => {
  const cosigned = note + lineOf(witnessKey) + lineOf(otherKey);
  expect((await signersOf(cosigned, known)).signers).toEqual(known);
  expect((await signersOf(cosigned, [...known, witness])).signers).toEqual([...known, witness]);
});

describe('refused is', () => {
  test('a note that only others have signed', async () => {
    expect((await signersOf(`${text}\n${lineOf(otherKey)}`, known)).signers).toEqual([]);
    expect((await signersOf(note, [])).signers).toEqual([]);
  });

  test('a note with a false signature beside a good one', async () => {
    const forged = lineOf(witnessKey).replace(/.{12}\n$/, `${'A'.repeat(11)}=\n`);
    await expect(signersOf(note + forged, [...known, witness])).rejects.toThrow(/does not hold/);
  });
});

test('extension lines are tolerated, and signed', async () => {
  const extended = signNote(`${text}an extension\n`, logKey);
  expect(parseCheckpoint((await signersOf(extended, known)).text).size).toBe(3);
  const changed = extended.replace('an ext', 'no ext');
  await expect(signersOf(changed, known)).rejects.toThrow(/does not hold/);
});
