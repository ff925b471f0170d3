import { expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import fc from 'fast-check';
import { bodyHash, parseJsonBody } from '../../src/http/json-body.ts';
import { parseLargeBody } from '../../src/http/large-body.ts';

/** Returns what a body of up to 256 KiB becomes, with the readings as bytes. */
const asSmall = (bytes: Uint8Array) => {
  const json = parseJsonBody(bytes) as Record<string, unknown>;
  const sha256 = Buffer.from(bodyHash(json, bytes)).toString('hex');
  const { readings } = json;
  return { json: { ...json, readings: readings || '' }, sha256 };
};
const asLarge = async (bytes: Uint8Array) => {
  const copy = new Uint8Array(bytes); // it is changed
  const { json, sha256 } = await parseLargeBody({ bytes: copy, large: 'readings', isHashed: true });
  const { readings, ...rest } = json as { readings: Uint8Array | string };
  const text =
    typeof readings === 'string'
      ? readings
      : new TextDecoder('utf-8', { ignoreBOM: true }).decode(readings);
  return { json: { ...rest, readings: text }, sha256: Buffer.from(sha256!).toString('hex') };
};

/** A literal of JSON in which characters are escaped in all ways. */
const literal = (text: string, ways: readonly number[]) =>
  `"${[...text]
    .map((character, n) => {
      const plain = JSON.stringify(character).slice(1, -1);
      if (ways[n % ways.length] === 0) return plain;
      return [...character]
        .flatMap((one) => one.split(''))
        .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
        .join('');
    })
    .join('')}"`;

const text = fc
  .string({ unit: 'binary', maxLength: 50 })
  .filter((one) => one.isWellFormed() && !one.includes('\0') && one !== '');
const ways = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 7 });

test('a large body has the same JSON and the same hash as by the parser of all others', async () => {
  await fc.assert(
    fc.asyncProperty(text, ways, fc.json(), fc.boolean(), async (one, how, other, isLast) => {
      const readings = `"readings":${literal(one, how)}`;
      const members = [`"other":${other}`, `"a\\u0062":"readings"`, '"z":{"readings":[1]}'];
      const all = isLast ? [...members, readings] : [readings, ...members];
      const bytes = Buffer.from(`\ufeff{ ${all.join(' , ')}\n}`);
      expect(await asLarge(bytes)).toEqual(asSmall(bytes));
    }),
  );
});

test('characters and escapes that lie on the borders of pieces are not cut', async () => {
  for (let shift = 0; shift < 14; shift++) {
    const filled = 'x'.repeat(64 * 1024 - shift);
    for (const inner of ['é', '😀', '\\ud83d\\ude00', '\\u00e9', '\\\\', '\\n', '\\\\\\"']) {
      const bytes = Buffer.from(`{"readings":"${filled}${inner.repeat(9)}"}`);
      expect(await asLarge(bytes)).toEqual(asSmall(bytes));
    }
  }
});

test.each([
  ['the last of two readings', '{"readings":"a","readings":"b"}'],
  ['an ignored lone surrogate', '{"readings":"a","x":"\\ud800"}'],
])('%s counts', async (_, body) => {
  expect(await asLarge(Buffer.from(body))).toEqual(asSmall(Buffer.from(body)));
});

test.each([
  ['an array behind a text', '{"readings":"a","readings":[]}', []],
  ['nothing', '{"x":1}', undefined],
  ['no text', '{"readings":4}', 4],
  ['an empty text', '{"readings":""}', ''],
  ['NUL', '{"readings":"a\\u0000b"}', '\0'],
  ['a lone surrogate', '{"readings":"a\\ud800b"}', '\ud800'],
  ['a lone surrogate at the end', '{"readings":"a\\ud800"}', '\ud800'],
])('readings that are %s are left to their schema', async (_, body, expected) => {
  const bytes = Buffer.from(body);
  const { json } = await parseLargeBody({ bytes, large: 'readings', isHashed: false });
  expect((json as { readings: unknown }).readings).toEqual(expected);
});

test.each([
  ['a control character', '{"readings":"a\nb"}'],
  ['an invalid escape', '{"readings":"a\\xb"}'],
  ['an escape that ends too early', '{"readings":"a\\u12"}'],
  ['a text that does not end', '{"readings":"a'],
  ['a text that ends in an escape', '{"readings":"a\\'],
  ['a body that does not end', '{"readings":"a"'],
  ['invalid UTF-8', Buffer.from([...Buffer.from('{"readings":"'), 0xc3, 0x28, 0x22, 0x7d])],
  ['a byte order mark inside', '{"readings":"a"\ufeff}'],
])('%s is no JSON', async (_, body) => {
  const bytes = Buffer.from(body as string);
  const failure: Failure = await parseLargeBody({ bytes, large: 'readings', isHashed: true }).then(
    () => Promise.reject(new Error('accepted')),
    (thrown) => thrown,
  );
  expect(failure.details?.detail).toMatchObject([{ type: 'json_invalid' }]);
});
