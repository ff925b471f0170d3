/** Reports reads of the wall clock outside of the places that are listed; see wall-clock.ts. */
import { readFileSync } from 'node:fs';
import { isChecked, missingFiles, wallClockViolations } from './rules/wall-clock.ts';
import { trackedFiles } from './tracked-files.ts';

const paths = trackedFiles().filter(isChecked);
const violations = [
  ...missingFiles(paths),
  ...paths.flatMap((path) => wallClockViolations(path, readFileSync(path, 'utf8'))),
];
for (const violation of violations) process.stderr.write(`${violation}\n`);
process.exitCode = violations.length > 0 ? 1 : 0;
