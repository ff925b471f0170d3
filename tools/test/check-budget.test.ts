import { expect, test } from '@jest/globals';
import { type Area, sizesOf } from '../check-budget.ts';

const lines: Area = { name: 'product', unit: 'lines', folders: ['a', 'b'], max: 3 };
const texts: Readonly<Record<string, string>> = {
  'a/src/one.ts': 'x\ny\n',
  'a/test/one.test.ts': 'x\n'.repeat(9),
  'a/gen/one.ts': 'x\n'.repeat(9),
  'a/README.md': 'some words here\n',
  'b/page.tsx': 'x\n'.repeat(5),
  'bb/other.ts': 'x\n'.repeat(9),
};
const read = (path: string) => texts[path]!;

test('lines outside of tests and generated code count, the largest folder first', () => {
  expect(sizesOf(lines, Object.keys(texts), read)).toEqual([
    ['b', 5],
    ['a', 2],
  ]);
});

test('words of documents count', () => {
  const words: Area = { ...lines, unit: 'words' };
  expect(sizesOf(words, Object.keys(texts), read)).toContainEqual(['a', 3]);
});
