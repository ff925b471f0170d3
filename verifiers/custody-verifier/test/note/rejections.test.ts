import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  checkpointText,
  parseCheckpoint,
  parseNote,
  parseVkey,
  parseWitnessVkey,
  Rejection,
  signersOf,
  toBase64,
} from '../../src/index.ts';
import { cosign, signNote, vkeyOfSigner, vkeyOfWitness } from '../../src/note/sign-note.ts';
import { keyId } from '../../src/note/vkey.ts';
import { logKey, origin, otherKey } from '../samples/a-signed-log.ts';

const text = checkpointText({ origin, size: 3, root: new Uint8Array(32) });
const note = signNote(text, logKey);
const line = note.slice(text.length + 1);
const root = text.split('\n')[2];

describe('a note is rejected with the reason:', () => {
  const emptyLine = 'a signed note has an empty line before its signatures';
  const wholeLines = 'the signatures of a note are whole lines, at least one';
  const control = 'a signed note has no control characters but newlines';
  const malformed = 'a signature line is malformed';
  const base64 = 'not base64 in its canonical form';
  test.each([
    ['nothing', '', emptyLine],
    ['an empty line alone', '\n', emptyLine],
    ['no empty line', note.replace('\n\n', '\n'), emptyLine],
    ['no signature', `${text}\n`, wholeLines],
    ['a line that is cut off', note.slice(0, -1), wholeLines],
    ['a carriage return', note.replaceAll('\n', '\r\n'), control],
    ['a lone surrogate', `\ud800${note}`, control],
    ['a hyphen for a dash', note.replace('\u2014', '-'), malformed],
    ['a word before the dash', note.replace('\u2014', 'x\u2014'), malformed],
    ['a word after the signature', note.replace(/\n$/, ' x\n'), malformed],
    ['a plus in a name', note.replace(`\u2014 ${origin}`, '\u2014 a+b'), malformed],
    ['base64 without padding', note.replace(/=\n$/, '\n'), base64],
    ['a signature of no bytes', `${text}\n\u2014 ${origin} AAAAAA==\n`, 'a signature is too short'],
    ['101 signatures', `${text}\n${line.repeat(101)}`, 'more than 100 signatures'],
    [
      '65,537 characters',
      `${'x'.repeat(65_537 - note.length)}${note}`,
      'longer than 65536 characters',
    ],
    ['no text', 7, 'a signed note is a text'],
  ])('%s', (_, broken, reason) => {
    expect(() => parseNote(broken)).toThrow(new Rejection(reason));
  });

  test.each([
    ['a signature of one byte', `${text}\n\u2014 ${origin} AAAAAAA=\n`],
    ['100 signatures', `${text}\n${line.repeat(100)}`],
    ['65,536 characters', `${'x'.repeat(65_536 - note.length)}${note}`],
    ['no text before the empty line', `\n\n${line}`],
  ])('but not for %s', (_, whole) => {
    expect(parseNote(whole).signatures.length).toBeGreaterThan(0);
  });
});

describe('a checkpoint is rejected with the reason:', () => {
  const lines = 'a checkpoint has three lines: origin, size, root';
  const size = 'the size of a checkpoint is a decimal number without leading zeros';
  test.each([
    ['no origin', `\n3\n${root}\n`, lines],
    ['no size', origin, lines],
    ['no root', `${origin}\n3\n`, lines],
    ['no last newline', `${origin}\n3\n${root}`, lines],
    ['an empty extension', `${origin}\n3\n${root}\n\nx\n`, 'a checkpoint has no empty lines'],
    ['a size with a leading zero', `${origin}\n03\n${root}\n`, size],
    ['a size with a sign', `${origin}\n+3\n${root}\n`, size],
    ['a size in another notation', `${origin}\n1e3\n${root}\n`, size],
    ['a size beyond safe integers', `${origin}\n9007199254740993\n${root}\n`, size],
    [
      'a root of 31 bytes',
      `${origin}\n3\n${toBase64(new Uint8Array(31))}\n`,
      '31 bytes where 32 belong',
    ],
    [
      'a root in base64url',
      `${origin}\n3\n${'_'.repeat(43)}=\n`,
      'not base64 in its canonical form',
    ],
  ])('%s', (_, broken, reason) => {
    expect(() => parseCheckpoint(broken)).toThrow(new Rejection(reason));
  });

  test('without it: a size of two digits', () => {
    expect(parseCheckpoint(`${origin}\n12\n${root}\n`).size).toBe(12);
  });
});

describe('a key is rejected with the reason:', () => {
  const form = 'not a key written name+id+base64';
  const vkey = vkeyOfSigner(logKey);
  const [name, id, encoded] = vkey.split('+') as [string, string, string];
  const key = Buffer.from(vkey.slice(name.length + id.length + 2), 'base64');
  const withKey = (bytes: Uint8Array) => `${name}+${id}+${toBase64(bytes)}`;
  test.each([
    ['no name', `+${id}+${encoded}`, form],
    ['no id', `${name}++${encoded}`, form],
    ['a space in its name', vkey.replace('/', ' '), form],
    ['an id in upper case', vkey.replace(id, id.toUpperCase()), form],
    ['a name with a plus', `x+${vkey}`, form],
    ['two lines', `${vkey}\n`, form],
    ['no text', null, form],
    ['an object that prints as a key', { toString: () => vkey }, form],
    [
      "another key's id",
      vkey.replace(id, '00000000'),
      `${name}: the key id is not that of the key`,
    ],
    ["another name's id", `x${vkey}`, `x${name}: the key id is not that of the key`],
    [
      'the algorithm of a witness',
      vkeyOfWitness(logKey),
      `${name}: only Ed25519 keys (algorithm 1) are read`,
    ],
    ['31 bytes', withKey(key.subarray(0, 32)), `${name}: an Ed25519 key has 32 bytes`],
  ])('%s', (_, broken, reason) => {
    expect(() => parseVkey(broken)).toThrow(new Rejection(reason));
  });

  test('33 bytes, also with the id of 33 bytes', () => {
    const longer = Buffer.concat([key, Buffer.of(0)]);
    const known = `${name}+${keyId(name, longer.subarray(1))}+${toBase64(longer)}`;
    expect(() => parseVkey(known)).toThrow(new Rejection(`${name}: an Ed25519 key has 32 bytes`));
  });

  test('a witness has the key of a log', () => {
    const reason = `${name}: only Ed25519 cosignature keys (algorithm 4) are read`;
    expect(() => parseWitnessVkey(vkey)).toThrow(new Rejection(reason));
  });
});

test.each([1, 15, 31, 33, 63, 65, 128])(
  'a signature of %i bytes in place of 64 does not hold',
  async (length) => {
    const known = parseVkey(vkeyOfSigner(logKey));
    const bytes = Buffer.from(line.split(' ')[2]!, 'base64');
    const other = Buffer.concat([bytes, bytes.subarray(4)]).subarray(0, 4 + length);
    const broken = `${text}\n\u2014 ${origin} ${toBase64(other)}\n`;
    await expect(signersOf(broken, [known])).rejects.toThrow(
      new Rejection(`the signature of ${origin}+${known.id} does not hold`),
    );
  },
);

test('a known id with another name is an unknown key', async () => {
  const elsewhere = note.replace(`\u2014 ${origin}`, '\u2014 elsewhere.example');
  const known = [parseVkey(vkeyOfSigner(logKey))];
  expect((await signersOf(elsewhere, known)).signers).toEqual([]);
  const other = [parseVkey(vkeyOfSigner(otherKey))];
  expect((await signersOf(note, other)).signers).toEqual([]);
});

describe('nothing is signed with', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { privateKey: edwards448 } = generateKeyPairSync('ed448');
  test.each([
    ['a text without a last newline', 'x', logKey, 'not the text of a note'],
    ['a text that is not Unicode', '\ud800\n', logKey, 'not the text of a note'],
    ['a name with a space', text, { ...logKey, name: 'a b' }, 'not the name of a key'],
    ['a key for ECDSA', text, { name: origin, privateKey }, 'not an Ed25519 key'],
    ['a key for Ed448', text, { name: origin, privateKey: edwards448 }, 'not an Ed25519 key'],
  ])('%s', (_, of, key, reason) => {
    expect(() => signNote(of, key)).toThrow(new TypeError(reason));
    expect(() => cosign(of, 1, key)).toThrow(new TypeError(reason));
  });
});
