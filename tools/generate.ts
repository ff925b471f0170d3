/**
 * Writes what the clients and the request files have of the OpenAPI document: the second half of
 * `npm run generate`. With `--check` it reports files that differ, and fails.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { pythonModels } from './clients/python-models.ts';
import { pythonSync } from './clients/python-sync.ts';
import { fromRoot } from './clients/run.ts';
import { typescriptTypes } from './generators/typescript-types.ts';
import { httpFile } from './requests/http-file.ts';
import { postmanCollection } from './requests/postman-collection.ts';

const files: readonly (readonly [path: string, text: string])[] = [
  ['clients/typescript/src/generated/schema.ts', await typescriptTypes()],
  ['clients/python/src/partner_transport_orders/models.py', pythonModels()],
  ...pythonSync(),
  ['clients/requests/partner-api.http', httpFile()],
  ['clients/requests/partner-api.postman_collection.json', postmanCollection()],
];
const isCheck = process.argv.includes('--check');

for (const [path, text] of files) {
  const file = fromRoot(path);
  if (!isCheck) writeFileSync(file, text);
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    process.stdout.write(`${path} is not up to date: run npm run generate\n`);
    process.exitCode = 1;
  }
}
