import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { breakMechanism } from '../mutants/mutant.ts';
import { mutants } from '../mutants/table.ts';
import { trackedFiles } from '../tracked-files.ts';

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

test.each(mutants.map((mutant) => [mutant.name, mutant] as const))(
  'mutant %s applies',
  (_, mutant) => {
    const text = textOf(mutant.file);
    expect(breakMechanism(mutant, text)).not.toBe(text);
  },
);

test('a mutant whose original is not there, or twice, says so', () => {
  const mutant = { ...mutants[0]!, name: 'm', original: 'x' };
  expect(() => breakMechanism(mutant, 'abc')).toThrow('mutant m does not apply: 0 places match');
  expect(() => breakMechanism(mutant, 'xx')).toThrow('mutant m does not apply: 2 places match');
});

test('each pattern of tests names a test file', () => {
  const files = trackedFiles().filter((path) => path.endsWith('.test.ts'));
  const patterns = mutants.flatMap(({ tests }) => tests);
  const missing = patterns.filter(
    (pattern) => !files.some((path) => new RegExp(pattern).test(`/${path}`)),
  );
  expect(missing).toEqual([]);
});

test('names are unique', () => {
  const names = mutants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
});
