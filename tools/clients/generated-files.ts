import { typescriptTypes } from '../generators/typescript-types.ts';

/** @returns paths from the root of the repository, with their texts. */
export const generatedFiles = (): [path: string, text: string][] => [
  ['clients/typescript/src/generated/schema.ts', typescriptTypes()],
];
