/** Reports words in tracked text files for which docs/glossary.md has a standard term. */
import { readFileSync } from 'node:fs';
import { isChecked, languageViolations } from './rules/language.ts';
import { trackedFiles } from './tracked-files.ts';

const violations = trackedFiles()
  .filter(isChecked)
  .flatMap((path) => languageViolations(path, readFileSync(path, 'utf8')));
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
