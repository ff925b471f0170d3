import { expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { parseJsonBody } from '../../src/http/json-body.ts';

const parse = (text: string): unknown => parseJsonBody(Buffer.from(text));
const faultOf = (text: string): unknown => {
  try {
    return parse(text);
  } catch (thrown) {
    return (thrown as Failure).details?.detail;
  }
};

test.each([
  ['{"a":1,}', 7, 'Expected double-quoted property name'],
  ['{"a":"a" "b"}', 9, "Expected ',' or '}'"],
  ['"abc', 4, 'Unterminated string'],
  ['{"a":}', 5, `Unexpected token '}', "{"a":}"`],
  [`{"a":"${'é'.repeat(30)}","b":x}`, 42, "Unexpected token 'x'"],
  [`{"a":x,"b":"${'é'.repeat(30)}"}`, 5, "Unexpected token 'x'"],
  ['{"a":', 5, 'Unexpected end of JSON input'],
  ['', 0, 'Unexpected end of JSON input'],
])('%s is rejected with the place of its fault', (text, position, words) => {
  expect(faultOf(text)).toMatchObject([
    {
      type: 'json_invalid',
      loc: ['body', position],
      ctx: { error: expect.stringContaining(words) },
    },
  ]);
});

const nested = (depth: number, inner = ''): string =>
  `${'['.repeat(depth)}${inner}${']'.repeat(depth)}`;

test('a body is nested 32 deep, and no deeper', () => {
  expect(parse(nested(32))).toEqual(JSON.parse(nested(32)));
  expect(() => parse(nested(33))).toThrow('not JSON');
  expect(() => parse(`{"a":${nested(32)}}`)).toThrow('not JSON');
});

test('arrays that were closed before do not count', () => {
  const text = `[${Array.from({ length: 40 }, () => '{"a":[]}').join(',')}]`;
  expect(parse(text)).toEqual(JSON.parse(text));
});

test.each([
  ['brackets', '[['],
  ['braces', '{{'],
  ['an escaped quote', '\\"[['],
  ['an escaped backslash at the end', '[[\\\\'],
])('%s in a string do not count', (_, inner) => {
  const text = JSON.stringify({ a: '['.repeat(40) }).replace('"[', `"${inner}[`);
  expect(parse(text)).toEqual(JSON.parse(text));
});

test('brackets after a string with an escaped quote count', () => {
  expect(() => parse(`["\\"",${nested(32)}]`)).toThrow('not JSON');
  expect(() => parse(`["\\\\",${nested(32)}]`)).toThrow('not JSON');
});
