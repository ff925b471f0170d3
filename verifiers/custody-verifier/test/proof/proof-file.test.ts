import { describe, expect, test } from '@jest/globals';
import { Rejection, verifyProof } from '../../src/index.ts';
import { readProof } from '../../src/proof/proof-file.ts';
import { forged } from '../forgeries/forge.ts';
import { proof } from '../samples/a-proof.ts';

const text = JSON.stringify(proof);
const bytes = new TextEncoder().encode(text);

describe('a file is rejected at `form` with the reason:', () => {
  const version = 'v is not custody-proof/1';
  const entries = 'entries is not an array';
  const without = (name: string) => forged((draft) => Reflect.deleteProperty(draft, name));
  test.each([
    ['null', null, version],
    ['a number', 7, version],
    ['a list', [], version],
    ['another version', { ...proof, v: 'custody-proof/2' }, version],
    ['no keys', without('keys'), 'the member keys is missing'],
    ['one more member', { ...proof, x: 1 }, 'the member "x" does not belong there'],
    [
      'an order id that is none',
      { ...proof, order_id: 'x' },
      'order_id is not a UUID in lower case',
    ],
    ['entries that are an object', { ...proof, entries: {} }, entries],
    ['entries that are a text', { ...proof, entries: '' }, entries],
  ])('%s', async (_, file, reason) => {
    const broken = JSON.stringify(file);
    expect(() => readProof(broken)).toThrow(new Rejection(reason));
    expect(await verifyProof(broken)).toMatchObject({ verdict: 'invalid', at: 'form', reason });
  });

  test('bytes that are not UTF-8', async () => {
    const broken = Uint8Array.from(bytes);
    broken[text.indexOf('S-1042')] = 0xff;
    const expected = { verdict: 'invalid', at: 'form', reason: 'not UTF-8' };
    expect(await verifyProof(broken)).toMatchObject(expected);
  });
});

test('the bytes of a file get the verdict of its text', async () => {
  expect(await verifyProof(bytes)).toStrictEqual(await verifyProof(text));
});

test('a file without completeness is one whose completeness is null', () => {
  expect(readProof(text)).toEqual({ ...proof, completeness: null });
  const with1 = { ...proof, completeness: 1 };
  expect(readProof(JSON.stringify(with1))).toEqual(with1);
});
