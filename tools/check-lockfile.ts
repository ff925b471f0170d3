/**
 * Checks that npm verifies each package that it installs, takes it from the registry alone and runs
 * no script of it, and that the Node of npm's scripts is the recorded program.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type LockedPackage,
  lockfileFaults,
  nodeBinaries,
  nodeBinaryFaults,
} from './rules/lockfile-faults.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const faults = [
  ...lockfileFaults(packages),
  ...nodeBinaryFaults(root, packages, nodeBinaries),
  // npm 10 runs install scripts unless this says otherwise; `allowScripts` is for npm 11 alone
  ...(/^ignore-scripts=true$/m.test(readFileSync(`${root}.npmrc`, 'utf8'))
    ? []
    : ['.npmrc has no ignore-scripts=true']),
];
for (const fault of faults) process.stdout.write(`package-lock.json: ${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);
