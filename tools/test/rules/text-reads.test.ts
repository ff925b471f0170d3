import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isChecked, textReads, textReadViolations } from '../../rules/text-reads.ts';

const path = 'clients/command-line/src/request-file.ts';

test.each([
  "const text = await readFile(path, 'utf8');",
  'const value = JSON.parse(String(readFileSync(path)));',
  "input.setEncoding('utf8');",
  'const text = new TextDecoder().decode(bytes);',
  'const text = bytes.toString();',
  "import { text } from 'node:stream/consumers';",
])('a read that replaces what is not UTF-8 is reported: %s', (code) => {
  expect(textReadViolations(path, `const a = 1;\n${code}\n`)).toEqual([
    expect.stringContaining(`${path}:2: 1 lines read or decode bytes`),
  ]);
});

test.each(['const text = await readTextFile(path);', ' * a call of `readFile(path)`'])(
  'other code is not reported: %s',
  (code) => expect(textReadViolations(path, code)).toEqual([]),
);

test.each(Object.keys(textReads))(
  '%s has as many reasons as reads, and no more are free',
  (listed) => {
    const source = readFileSync(new URL(`../../../${listed}`, import.meta.url), 'utf8');
    expect(textReadViolations(listed, source)).toEqual([]);
    expect(textReadViolations(listed, `${source}\nreadFileSync(path);\n`)).toHaveLength(1);
  },
);

test.each([
  [path, true],
  ['operator/src/main.ts', true],
  ['packages/terminal/src/writer.ts', true],
  ['packages/terminal/src/read-text.ts', false],
  ['operator/test/status.test.ts', false],
  ['services/orders/src/main.ts', false],
])('%s: checked is %s', (checked, expected) => expect(isChecked(checked)).toBe(expected));
