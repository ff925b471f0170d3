import { typescriptTypes } from '../generators/typescript-types.ts';
import { pythonModels } from './python-models.ts';
import { pythonSync } from './python-sync.ts';

/** @returns paths from the root of the repository, with their texts. */
export const generatedFiles = (): [path: string, text: string][] => [
  ['clients/typescript/src/generated/schema.ts', typescriptTypes()],
  ['clients/python/src/partner_transport_orders/models.py', pythonModels()],
  ...pythonSync(),
];
