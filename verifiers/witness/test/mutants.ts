import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'witness-state-fork',
    mechanism: 'Of two witness processes on one folder one follows a version',
    file: 'verifiers/witness/src/state-folder.ts',
    original: 'await link(draft, pathOf(number + 1));',
    broken: 'await link(draft, pathOf(number + 1)).catch(() => {});',
    tests: ['witness/test/state-folder'],
  },
];
