import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  checkpointText,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  parseVkey,
  Rejection,
  verifyNote,
} from '../src/index.ts';
import { signNote, vkeyOfSigner } from '../src/note/sign-note.ts';
import { logKey, origin, otherKey, witnessKey } from './a-signed-log.ts';

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
  const { text: signed, signers } = await verifyNote(example, [parseVkey(vkey)]);
  expect(signed).toMatch(/^If you .* is\.\n$/s);
  expect(signers[0]?.name).toBe('PeterNeumann');
});

test('signatures of unknown keys are passed over, whatever they say', async () => {
  const cosigned = note + lineOf(witnessKey) + lineOf(otherKey);
  expect((await verifyNote(cosigned, known)).signers).toEqual(known);
  expect((await verifyNote(cosigned, [...known, witness])).signers).toEqual([...known, witness]);
});

describe('refused is', () => {
  test('a note that only others have signed', async () => {
    await expect(verifyNote(`${text}\n${lineOf(otherKey)}`, known)).rejects.toThrow(/known key/);
    await expect(verifyNote(note, [])).rejects.toThrow(/known key/);
  });

  test('a note with a false signature beside a good one', async () => {
    const forged = lineOf(witnessKey).replace(/.{12}\n$/, `${'A'.repeat(11)}=\n`);
    await expect(verifyNote(note + forged, [...known, witness])).rejects.toThrow(/does not hold/);
  });

  test('a checkpoint that a witness has signed, and the log has not', async () => {
    const alone = `${text}\n${lineOf(witnessKey)}`;
    await expect(openCheckpoint(alone, [...known, witness])).rejects.toThrow(/itself/);
  });

  test.each([
    ['nothing', ''],
    ['no signature', `${text}\n`],
    ['no empty line', note.replace('\n\n', '\n')],
    ['a line that is cut off', note.slice(0, -1)],
    ['a hyphen for a dash', note.replace('\u2014', '-')],
    ['a carriage return', note.replaceAll('\n', '\r\n')],
    ['a lone surrogate', `\ud800${note}`],
    ['a plus in a name', note.replace(`\u2014 ${origin}`, '\u2014 a+b')],
    ['base64 without padding', note.replace(/=\n$/, '\n')],
    ['a signature of no bytes', `${text}\n\u2014 ${origin} AAAAAA==\n`],
    ['101 signatures', `${text}\n${lineOf(logKey).repeat(101)}`],
    ['a megabyte', `${'x'.repeat(1_000_000)}\n${note}`],
    ['no text', 7],
  ])('%s', (_, broken) => {
    expect(() => parseNote(broken)).toThrow(Rejection);
  });

  const root = text.split('\n')[2];
  test.each([
    ['a size with a leading zero', `${origin}\n03\n${root}\n`],
    ['a size with a sign', `${origin}\n+3\n${root}\n`],
    ['a size beyond safe integers', `${origin}\n9007199254740993\n${root}\n`],
    ['a root of 31 bytes', `${origin}\n3\n${Buffer.alloc(31).toString('base64')}\n`],
    ['a root in base64url', `${origin}\n3\n${'_'.repeat(43)}=\n`],
    ['no origin', `\n3\n${root}\n`],
    ['no root', `${origin}\n3\n`],
    ['no last newline', `${origin}\n3\n${root}`],
    ['an empty extension', `${origin}\n3\n${root}\n\nx\n`],
  ])('a checkpoint with %s', (_, broken) => {
    expect(() => parseCheckpoint(broken)).toThrow(Rejection);
  });

  const vkey = vkeyOfSigner(logKey);
  const [name, id, encoded] = vkey.split('+') as [string, string, string];
  const key = Buffer.from(vkey.slice(name.length + id.length + 2), 'base64');
  test.each([
    ['no name', `+${id}+${encoded}`],
    ['a space in its name', vkey.replace('/', ' ')],
    ["another key's id", vkey.replace(id, '00000000')],
    ['an id in upper case', vkey.replace(id, id.toUpperCase())],
    ["another name's id", `x${vkey}`],
    [
      'another algorithm',
      `${name}+${id}+${Buffer.from([4, ...key.subarray(1)]).toString('base64')}`,
    ],
    ['31 bytes', `${name}+${id}+${key.subarray(0, 32).toString('base64')}`],
    ['no text', null],
  ])('a key with %s', (_, broken) => {
    expect(() => parseVkey(broken)).toThrow(Rejection);
  });
});

test('extension lines are tolerated, and signed', async () => {
  const extended = signNote(`${text}an extension\n`, logKey);
  expect((await openCheckpoint(extended, known)).checkpoint.size).toBe(3);
  const changed = extended.replace('an ext', 'no ext');
  await expect(openCheckpoint(changed, known)).rejects.toThrow(/does not hold/);
});

test('nothing is signed with a key or a text that makes no note', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  expect(() => signNote(text, { name: origin, privateKey })).toThrow(TypeError);
  expect(() => signNote(text, { ...logKey, name: 'a b' })).toThrow(TypeError);
  expect(() => signNote('no newline', logKey)).toThrow(TypeError);
});
