import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * Writes generated files; with the flag `--check` reports those that differ and fails.
 * @param script the npm script that writes them.
 * @param files paths from the root of the repository, with their texts.
 */
export const writeOrCheck = (
  script: string,
  files: readonly (readonly [path: string, text: string])[],
): void => {
  const check = process.argv.includes('--check');
  for (const [path, text] of files) {
    const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
    if (!check) writeFileSync(file, text);
    else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
      process.stdout.write(`${path} is not up to date: run npm run ${script}\n`);
      process.exitCode = 1;
    }
  }
};
