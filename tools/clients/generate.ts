/** Writes what the clients have of the OpenAPI document. `--check` reports files that differ. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from './generated-files.ts';

const check = process.argv.includes('--check');
for (const [path, text] of generatedFiles()) {
  const file = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  if (!check) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${path} is not up to date: run npm run generate:clients\n`);
    process.exitCode = 1;
  }
}
