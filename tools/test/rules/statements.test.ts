import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { isChecked, listed, statementViolations, textFiles } from '../../rules/statements.ts';
import { missingFiles, trackedFiles } from '../../tracked-files.ts';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('at most a dozen files have statements that are text', () => {
  expect(textFiles.length).toBeLessThanOrEqual(12);
});

test.each(textFiles)('%s says why it is text', (path) => {
  expect(read(path).replaceAll(/\s*\n \* /g, ' ')).toMatch(/\b(?:is|are) text (?:because|for)\b/);
});

const someService = 'services/custody/src/log/integrate.ts';

test.each([
  "await sql.query('select 1 from log_state')",
  "const rows = await tx.query<{ size: string }>(\n  'select size from log_state')",
  'fragment.raw(condition)',
  "em.getKysely().selectFrom('log_state')",
])('text in a file that is not listed is reported: %s', (source) => {
  expect(statementViolations(someService, `const a = 1;\n${source}`)).toEqual([
    expect.stringContaining(`${someService}:2: SQL as text`),
  ]);
});

test('a built statement is not reported', () => {
  const source = "await execute(sql, tables.selectFrom('log_state').select('size'))";
  expect(statementViolations(someService, source)).toEqual([]);
});

test('a listed file that has no text is reported', () => {
  const [file] = textFiles;
  expect(statementViolations(file!, "sql.query('select 1')")).toEqual([]);
  expect(statementViolations(file!, '')).toEqual([expect.stringContaining('remove it')]);
  expect(missingFiles([...listed], trackedFiles())).toEqual([]);
  expect(missingFiles([...listed], [])).toContainEqual(
    `${file}: a rule lists it, and it does not exist`,
  );
});

test('migrations and the stores of tests are free', () => {
  const paths = trackedFiles().filter(isChecked);
  expect(paths).toContain(someService);
  expect(paths.filter((path) => /migrations\/|packages\/testing/.test(path))).toEqual([]);
});
