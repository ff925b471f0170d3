import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'key-checksum',
    mechanism: 'A key with a wrong checksum is rejected without a look-up',
    file: 'packages/access/src/api-key.ts',
    original: 'return checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);',
    broken: 'return checksum(text.slice(0, -checksumLength)) !== "";',
    tests: ['access/test/checked-secret'],
  },
];
