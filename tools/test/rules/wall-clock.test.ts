import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isChecked, wallClockReads, wallClockViolations } from '../../rules/wall-clock.ts';
import { missingFiles } from '../../tracked-files.ts';

const path = 'services/webhooks/src/queue/end-stale.ts';

test.each([
  'const ms = Date.now() - begun;',
  'const begun = new Date();',
  'const begun = new Date;',
  'const clock = Date.now;',
  'const { now } = Date;',
  'read(Date());',
])('a read of the wall clock is reported: %s', (code) => {
  expect(wallClockViolations(path, `const a = 1;\n${code}\n`)).toEqual([
    expect.stringContaining(`${path}:2: 1 lines read the wall clock`),
  ]);
});

test.each([
  'const ms = performance.now() - begun;',
  'const shown = new Date(row.at).toISOString();',
  ' * a time of `Date.now()`',
  'const at = Date.parse(text);',
  'let at: Date;',
  'at instanceof Date ? 1 : 2',
])('other code is not reported: %s', (code) => {
  expect(wallClockViolations(path, code)).toEqual([]);
});

test('a duration in a file with a listed time is reported, too', () => {
  const [listed] = Object.keys(wallClockReads) as [string];
  const source = readFileSync(new URL(`../../../${listed}`, import.meta.url), 'utf8');
  expect(wallClockViolations(listed, source)).toEqual([]);
  expect(wallClockViolations(listed, `${source}\nconst ms = Date.now() - begun;\n`)).toHaveLength(
    1,
  );
  expect(wallClockViolations(listed, '')).toHaveLength(1);
  expect(missingFiles([listed], [])).toContainEqual(expect.stringContaining(listed));
});

test.each([
  ['services/orders/src/main.ts', true],
  ['operator/src/main.ts', true],
  ['clients/typescript/src/index.ts', true],
  ['dev/testing/src/until.ts', true],
  ['services/orders/test/main.test.ts', false],
  ['bench/main.ts', false],
])('%s: checked is %s', (checked, expected) => expect(isChecked(checked)).toBe(expected));
