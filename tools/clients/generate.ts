/** Writes what the clients have of the OpenAPI document. `--check` reports files that differ. */
import { typescriptTypes } from '../generators/typescript-types.ts';
import { writeOrCheck } from '../write-or-check.ts';
import { pythonModels } from './python-models.ts';
import { pythonSync } from './python-sync.ts';

writeOrCheck('generate:clients', [
  ['clients/typescript/src/generated/schema.ts', await typescriptTypes()],
  ['clients/python/src/partner_transport_orders/models.py', pythonModels()],
  ...pythonSync(),
]);
