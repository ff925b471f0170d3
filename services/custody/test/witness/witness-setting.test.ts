import { describe, expect, test } from '@jest/globals';
import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { noteKeyOfSeed, vkeyOfSigner } from '@pto/custody-verifier/sign-note';
import { checkWitnesses, parseWitness } from '../../src/witness/witness-setting.ts';

const keyOf = (name: string, seed = 1) => noteKeyOfSeed(name, Buffer.alloc(32, seed));
const vkeyNamed = (name: string, seed = 1) => vkeyOfWitness(keyOf(name, seed));

test.each([
  ['https://w.test', 'https://w.test/add-checkpoint'],
  ['https://w.test/', 'https://w.test/add-checkpoint'],
  ['http://10.0.0.1:7380/prefix', 'http://10.0.0.1:7380/prefix/add-checkpoint'],
])('submits to the prefix %s', (prefix, url) => {
  const { key, url: found } = parseWitness(`${vkeyNamed('w.test')}@${prefix}`);
  expect([key.name, found]).toEqual(['w.test', url]);
});

describe('rejects', () => {
  const vkey = vkeyNamed('w.test');
  test.each([
    ['no URL', vkey],
    ['another scheme', `${vkey}@ftp://w.test`],
    ['credentials', `${vkey}@https://me:secret@w.test`],
    ['a query', `${vkey}@https://w.test?a=b`],
    ['a key of a log', `${vkeyOfSigner(keyOf('w.test'))}@https://w.test`],
    ['a wrong key id', `${vkey.replace(/\+[0-9a-f]{8}\+/, '+00000000+')}@https://w.test`],
  ])('%s', (_, text) => {
    expect(() => parseWitness(text)).toThrow();
  });

  test('one witness twice, and one key under two names', () => {
    const witness = (name: string, seed: number) =>
      parseWitness(`${vkeyNamed(name, seed)}@https://w.test`);
    expect(() => checkWitnesses([witness('a', 1), witness('b', 2)])).not.toThrow();
    expect(() => checkWitnesses([witness('a', 1), witness('a', 2)])).toThrow('twice');
    expect(() => checkWitnesses([witness('a', 1), witness('b', 1)])).toThrow('twice');
  });
});
