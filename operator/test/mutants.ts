import type { Mutant } from '../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'terminal-escape-writer',
    mechanism: 'Every line of output is escaped, of tables, JSON and errors',
    file: 'packages/terminal/src/writer.ts',
    original: 'printable(line)',
    broken: 'line',
    tests: ['operator/test/output/foreign-texts'],
  },
];
