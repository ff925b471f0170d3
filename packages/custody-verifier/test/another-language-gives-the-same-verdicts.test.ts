import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { askPython, python } from './a-python.ts';
import type { Vector } from './forgeries/vector.ts';

const folder = new URL('../vectors/', import.meta.url);
const all = readdirSync(folder)
  .filter((name) => name !== 'decision-31.json')
  .flatMap((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Vector[]);

/** verify.py judges what the proof rests on; it knows no earlier states, and not the file's form. */
const shared = all.filter(
  ({ input, expect: { at } }) =>
    !input.seen && !input.trusted_keys && !['form', 'keys', 'log'].includes(at ?? ''),
);

const verdicts = `
import json, sys, verify
def judge(text):
    try:
        return verify.verify(text)
    except Exception as error:
        return None
json.dump([judge(text) for text in json.load(sys.stdin)], sys.stdout)
`;

(python ? describe : describe.skip)('verify.py', () => {
  test('believes what the verifier believes, and nothing else', () => {
    expect(shared.length).toBeGreaterThan(50);
    const texts = shared.map(({ input }) =>
      typeof input.file === 'string' ? input.file : JSON.stringify(input.file),
    );
    const found = askPython(verdicts, texts) as (string[] | null)[];
    expect(shared.map(({ name }, n) => [name, found[n] !== null])).toEqual(
      shared.map(({ name, expect: { valid } }) => [name, valid]),
    );
    expect(found[shared.findIndex(({ expect: { remarks } }) => remarks)]).toEqual([
      'chain',
      'inclusion',
      'signature, by a key that the file itself brings',
    ]);
  });
});
