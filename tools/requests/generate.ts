/** Writes the request files of the OpenAPI document. `--check` reports files that differ. */
import { writeOrCheck } from '../write-or-check.ts';
import { httpFile } from './http-file.ts';
import { postmanCollection } from './postman-collection.ts';

writeOrCheck('generate:requests', [
  ['clients/requests/partner-api.http', httpFile()],
  ['clients/requests/partner-api.postman_collection.json', postmanCollection()],
]);
