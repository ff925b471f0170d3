/** Reports words in tracked text files for which docs/glossary.md has a standard term. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isChecked, languageViolations } from './language.ts';

const listed = execFileSync('git', [
  'ls-files',
  '-z',
  '--cached',
  '--others',
  '--exclude-standard',
]);
const paths = listed.toString().split('\0').filter(isChecked).filter(existsSync);
const violations = paths.flatMap((path) => languageViolations(path, readFileSync(path, 'utf8')));
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
