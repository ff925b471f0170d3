import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'commitment-recomputed',
    mechanism: 'A disclosed value is the one that the payload commits to',
    file: 'verifiers/custody-verifier/src/commitment.ts',
    original: 'return commitmentOf(field, { value, salt }) === commitment',
    broken: "return commitment !== ''",
    tests: ['forgeries-are-located'],
  },
  {
    name: 'salt-required',
    mechanism: 'A value without a salt of 32 bytes, which could be guessed, is refused',
    file: 'verifiers/custody-verifier/src/commitment.ts',
    original: "if (!isHash(salt)) return 'salt is not 64 lower-case hex digits';",
    broken: '',
    tests: ['forgeries-are-located'],
  },
  {
    name: 'erased-by-a-later-entry',
    mechanism: 'Only an entry after a field says that the field was erased',
    file: 'verifiers/custody-verifier/src/personal-fields.ts',
    original: 'number <= n && ',
    broken: '',
    tests: ['forgeries-are-located'],
  },
];
