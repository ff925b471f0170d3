import { describe, expect, test } from '@jest/globals';
import { Rejection, type TrustedKey, verifyProof, vkeyOf } from '../../src/index.ts';
import { isValidAt, readKeys, readTrustedKeys } from '../../src/proof/signed-checkpoint.ts';
import { proof } from '../samples/a-proof.ts';

const key = proof.keys[0]!;
const { vkey, valid_from: from } = key;
const [earlier, later] = ['2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'];
const distinctKeys = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    ...key,
    vkey: vkeyOf(`log${n}`, new Uint8Array(32)),
  }));

const timeForm = 'a time of a key is not written YYYY-MM-DDTHH:mm:ss.sssZ';

describe('the keys of a file are rejected with the reason:', () => {
  test.each([
    ['an object', {}, 'keys is not an array'],
    ['101 keys', distinctKeys(101), 'more than 100 keys'],
    ['a vkey alone', [vkey], 'not an object'],
    ['one more member', [{ ...key, x: 1 }], 'the member "x" does not belong there'],
    ['a beginning in another form', [{ ...key, valid_from: '2026-01-01' }], timeForm],
    ['no beginning', [{ ...key, valid_from: null }], timeForm],
    ['an end in another form', [{ ...key, valid_until: 'soon' }], timeForm],
    [
      'an end before the beginning',
      [{ ...key, valid_until: '2025-12-31T23:59:59.999Z' }],
      'the use of a key ends before it begins',
    ],
    ['a key twice', [key, { ...key, valid_until: later }], 'a key stands there twice'],
    ['a vkey that is none', [{ ...key, vkey: 'x' }], 'not a key written name+id+base64'],
  ])('%s', async (_, keys, reason) => {
    expect(() => readKeys(keys)).toThrow(new Rejection(reason));
    const judged = await verifyProof(JSON.stringify({ ...proof, keys }));
    expect(judged).toMatchObject({ verdict: 'invalid', at: 'keys', reason });
  });

  test.each([
    ['100 keys', distinctKeys(100)],
    ['no keys', []],
    ['an end at the beginning', [{ ...key, valid_until: from }]],
    ['one key under two names', distinctKeys(2)],
  ])('but not for %s', (_, keys) => {
    const ends = keys.map(({ valid_until }) => valid_until);
    expect(readKeys(keys).map(({ validUntil }) => validUntil)).toEqual(ends);
  });
});

describe('of trusted keys', () => {
  const end = (valid_until: string | null | undefined): TrustedKey => ({ vkey, valid_until });
  test.each<[string, TrustedKey[], string | null]>([
    ['a vkey has no end', [vkey], null],
    ['one without an end has none', [end(undefined)], null],
    ['one whose end is null has none', [end(null)], null],
    ['one with an end has it', [end(earlier)], earlier],
    ['one given twice without an end has none', [vkey, end(null)], null],
    ['one given twice has its only end', [end(earlier), vkey], earlier],
    ['one given twice has the earlier end, given first', [end(earlier), end(later)], earlier],
    ['one given twice has the earlier end, given last', [end(later), end(earlier)], earlier],
  ])('%s', (_, trusted, expected) => {
    expect(readTrustedKeys(trusted)).toMatchObject([{ vkey, validUntil: expected }]);
    expect(readTrustedKeys(trusted)[0]!.validUntil).toBe(expected);
  });

  test.each([
    ['an end in another form is rejected', [{ vkey, valid_until: 'soon' }], timeForm],
    ['an end that is a number is rejected', [{ vkey, valid_until: 7 }], timeForm],
    ['null is rejected', [null], 'not a key written name+id+base64'],
  ])('%s', async (_, trusted, reason) => {
    const trustedKeys = trusted as never as TrustedKey[];
    const judged = await verifyProof(JSON.stringify(proof), { trustedKeys });
    expect(judged).toMatchObject({ verdict: 'invalid', at: 'trusted_keys', reason });
  });
});

test('a key is valid until five minutes after its end', () => {
  const dated = readKeys([{ ...key, valid_until: earlier }])[0]!;
  expect(isValidAt(dated, '2026-02-01T00:05:00.000Z')).toBe(true);
  expect(isValidAt(dated, '2026-02-01T00:05:00.001Z')).toBe(false);
  expect(isValidAt(readKeys([key])[0]!, '9999-12-31T23:59:59.999Z')).toBe(true);
});
