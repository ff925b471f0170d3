import { expect, test } from '@jest/globals';
import { verify } from '../src/index.ts';
import { sealed } from './deliveries/bodies.ts';
import { secret, signed, t } from './deliveries/sign.ts';

const text = JSON.stringify(sealed);
const call = { rawBody: text as never, header: signed(text), secrets: [secret], now: t };

test.each([
  [
    'a parsed body',
    { rawBody: sealed },
    /rawBody: expected the bytes.*parsed and serialized again/,
  ],
  ['a body that is not there', { rawBody: undefined }, /rawBody: expected the bytes/],
  ['bytes in a list', { rawBody: [...Buffer.from(text)] }, /rawBody: expected the bytes/],
  ['no secrets', { secrets: [] }, /whsec_.*is the setting missing/],
  ['an empty secret', { secrets: [''] }, /is the setting missing/],
  ['a secret that is not set', { secrets: [secret, undefined] }, /is the setting missing/],
  ['a time that is no number', { now: Number.NaN }, /expected seconds/],
  ['a tolerance without end', { toleranceSeconds: Number.POSITIVE_INFINITY }, /expected seconds/],
  ['a tolerance below nothing', { toleranceSeconds: -1 }, /expected seconds/],
  ['a tolerance that is no number', { toleranceSeconds: Number.NaN }, /expected seconds/],
])('%s', async (_, wrong, words) => {
  await expect(verify({ ...call, ...(wrong as object) })).rejects.toThrow(words);
});

test.each([
  ['text', text],
  ['a Buffer', Buffer.from(text)],
  ['a view into a larger buffer', Buffer.from(`xx${text}yy`).subarray(2, -2)],
  ['an ArrayBuffer', new TextEncoder().encode(text).buffer],
])('the body may be %s', async (_, rawBody) => {
  expect(await verify({ ...call, rawBody: rawBody as never })).toMatchObject({
    valid: true,
    event: sealed,
  });
});
