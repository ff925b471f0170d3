/** The style sheets of the console: one class is one thing. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const folder = join(import.meta.dirname, '../../../console/src/style');

test('no class begins the rules of two style sheets', () => {
  const sheets = new Map<string, Set<string>>();
  for (const sheet of readdirSync(folder))
    for (const [name] of readFileSync(join(folder, sheet), 'utf8').matchAll(/^\.[\w-]+/gm))
      sheets.set(name, (sheets.get(name) ?? new Set()).add(sheet));
  expect(sheets.size).toBeGreaterThan(50);
  expect([...sheets].filter(([, of]) => of.size > 1).map(([name]) => name)).toEqual([]);
});
