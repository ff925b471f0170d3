/**
 * Starts the local stack, or says in one line what is missing. JavaScript, so that every Node runs
 * it.
 */
import { existsSync } from 'node:fs';

const missing = () => {
  if (!existsSync(new URL('../node_modules/.package-lock.json', import.meta.url)))
    return 'The packages are missing: run npm ci.';
  if (!process.features.typescript)
    return `Node 22.18 or newer is missing (this is ${process.version}): npm ci brings Node 24 to Linux only. Install Node from https://nodejs.org.`;
  return undefined;
};

const reason = missing();
if (reason === undefined) await import('./src/main.ts');
else {
  process.stderr.write(`${reason}\n`);
  process.exitCode = 1;
}
