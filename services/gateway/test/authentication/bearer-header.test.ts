import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bearerOf } from '../../src/authentication/bearer.ts';

const result = (headers: string[]): string => {
  try {
    return `key ${bearerOf(headers)}`;
  } catch (error) {
    return (error as Error).message;
  }
};

test('a header is read as the same header with spaces around it, which no short cut accepts', () => {
  const part = fc.constantFrom(
    'Bearer',
    'bearer',
    ' ',
    ',',
    '\t',
    '\u00a0',
    'é',
    'svc_live_x',
    '~',
  );
  const text = fc.array(part, { maxLength: 5 }).map((parts) => parts.join(''));
  const header = fc.oneof(
    text,
    text.map((rest) => `Bearer ${rest}`),
  );
  fc.assert(fc.property(header, (one) => result([one]) === result([` ${one} `])));
});

test('two headers are no key, though each alone is one', () => {
  expect(result(['Bearer a'])).toBe('key a');
  expect(result(['Bearer a', 'Bearer b'])).toMatch('more than one Authorization header');
});
