/** Reports SQL text outside of the files that may have it; see statements.ts. */
import { readFileSync } from 'node:fs';
import { isChecked, missingFiles, statementViolations } from './rules/statements.ts';
import { trackedFiles } from './tracked-files.ts';

const paths = trackedFiles().filter(isChecked);
const violations = [
  ...missingFiles(paths),
  ...paths.flatMap((path) => statementViolations(path, readFileSync(path, 'utf8'))),
];
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
