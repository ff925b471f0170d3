/** Checks that npm verifies each package that it installs, and takes it from the registry alone. */
import { readFileSync } from 'node:fs';
import { type LockedPackage, lockfileFaults } from './rules/lockfile-faults.ts';

const file = new URL('../package-lock.json', import.meta.url);
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const faults = lockfileFaults(packages);
for (const fault of faults) process.stdout.write(`package-lock.json: ${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);
