import { sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  checkpointText,
  cosignaturesOf,
  parseWitnessVkey,
  Rejection,
  signersOf,
  toBase64,
} from '../../src/index.ts';
import { cosign, noteKeyOfSeed, signNote, vkeyOfWitness } from '../../src/note/sign-note.ts';
import { cosignedText } from '../../src/note/signed-note.ts';
import { aKey, logKey, origin, witnessKey } from '../samples/a-signed-log.ts';

const text = checkpointText({ origin, size: 3, root: new Uint8Array(32) });
const note = signNote(text, logKey);
const witness = parseWitnessVkey(vkeyOfWitness(witnessKey));
const second = aKey('second.vectors.example', 10);
const secondWitness = parseWitnessVkey(vkeyOfWitness(second));
const line = cosign(text, 1_700_000_000, witnessKey);

test('a seed gives the key of its PKCS #8 form', () => {
  const ofSeed = noteKeyOfSeed(witnessKey.name, Buffer.alloc(32, 9));
  expect(vkeyOfWitness(ofSeed)).toBe(witness.vkey);
  expect(cosign(text, 1_700_000_000, ofSeed)).toBe(line);
});

test('a parsed key has its name, its id, its bytes and its algorithm', () => {
  expect(witness).toMatchObject({ name: witnessKey.name, algorithm: 4 });
  expect(witness.vkey.startsWith(`${witness.name}+${witness.id}+`)).toBe(true);
  expect(witness.publicKey).toHaveLength(32);
});

test('a cosignature has the bytes of cosignature/v1', async () => {
  const bytes = Buffer.from(line.split(' ')[2]!, 'base64');
  expect(line.startsWith(`\u2014 ${witnessKey.name} `)).toBe(true);
  expect(bytes.subarray(0, 4).toString('hex')).toBe(witness.id);
  expect(bytes.readBigUInt64BE(4)).toBe(1_700_000_000n);
  const signed = Buffer.from(`cosignature/v1\ntime 1700000000\n${text}`);
  const key = await crypto.subtle.importKey('raw', witness.publicKey, 'Ed25519', false, ['verify']);
  expect(await crypto.subtle.verify('Ed25519', key, bytes.subarray(12), signed)).toBe(true);
});

describe('cosignatures are', () => {
  test('those of known witnesses, the latest of each', async () => {
    const lines = [
      line,
      cosign(text, 1_700_000_009, witnessKey),
      cosign(text, 1_700_000_005, witnessKey),
      cosign(text, 1, second),
      cosign(text, 5, aKey('unknown.vectors.example', 11)),
    ].join('');
    expect(await cosignaturesOf(note + lines, [witness, secondWitness])).toEqual([
      { witness, time: 1_700_000_009 },
      { witness: secondWitness, time: 1 },
    ]);
  });

  test('none without a known witness', async () => {
    expect(await cosignaturesOf(note + line, [secondWitness])).toEqual([]);
    expect(await cosignaturesOf(note, [witness])).toEqual([]);
    const named = line.replace(witnessKey.name, 'second.vectors.example');
    expect(await cosignaturesOf(note + named, [witness])).toEqual([]);
    const sameName = parseWitnessVkey(vkeyOfWitness(aKey(witnessKey.name, 12)));
    expect(await cosignaturesOf(note + line, [sameName])).toEqual([]);
  });

  test('no signatures of the log, nor the other way round', async () => {
    const log = parseWitnessVkey(vkeyOfWitness(logKey));
    expect(await cosignaturesOf(note, [log])).toEqual([]);
    expect((await signersOf(`${text}\n${line}`, [])).signers).toEqual([]);
  });

  test('of the last second of the year 9999 at the latest', async () => {
    const last = cosign(text, 253_402_300_799, witnessKey);
    expect(await cosignaturesOf(note + last, [witness])).toEqual([
      { witness, time: 253_402_300_799 },
    ]);
  });
});

const wrong = new Rejection(`the cosignature of ${witness.name}+${witness.id} does not hold`);
const bytesOf = (of: string) => new Uint8Array(Buffer.from(of.split(' ')[2]!, 'base64'));
const lineWith = (bytes: Uint8Array) => `\u2014 ${witness.name} ${toBase64(bytes)}\n`;

/** A cosignature that a witness could sign, but no program of ours. */
const signedAtZero = () => {
  const signature = sign(null, cosignedText(0, text), witnessKey.privateKey);
  return Buffer.concat([bytesOf(line).fill(0, 4).subarray(0, 12), signature]);
};

test.each([
  ['of another text', cosign('another\n', 1_700_000_000, witnessKey)],
  ['with a changed time', lineWith(bytesOf(line).with(11, 1))],
  ['that is one byte short', lineWith(bytesOf(line).subarray(0, -1))],
  ['that is one byte longer', lineWith(Buffer.concat([bytesOf(line), Buffer.of(0)]))],
  ['of the year 10000', cosign(text, 253_402_300_800, witnessKey)],
  ['that ends within the time', lineWith(bytesOf(line).subarray(0, 8))],
  ['of the time 0', lineWith(signedAtZero())],
  ['without a time', lineWith(bytesOf(line).fill(0, 4, 12))],
])('a cosignature %s is rejected', async (_, broken) => {
  await expect(cosignaturesOf(note + broken, [witness])).rejects.toThrow(wrong);
});

test.each([1, 7, 8, 15, 31, 33, 63, 65, 71, 73, 104])(
  'a cosignature of %i bytes in place of 72 is rejected',
  async (length) => {
    const bytes = Buffer.concat([bytesOf(line), bytesOf(line).subarray(4)]).subarray(0, 4 + length);
    expect(bytes).toHaveLength(4 + length);
    await expect(cosignaturesOf(note + lineWith(bytes), [witness])).rejects.toThrow(wrong);
  },
);

test.each([0, -1, 1.5, 2 ** 53])('no witness cosigns at %p', (time) => {
  expect(() => cosign(text, time, witnessKey)).toThrow(new TypeError('not a time in seconds'));
});
