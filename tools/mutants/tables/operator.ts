import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of the operator's command line, and of what people see at a terminal. */
export const operatorMutants: readonly Mutant[] = [
  {
    name: 'terminal-escape-c1',
    mechanism: 'Control characters are shown escaped',
    file: 'verifiers/custody-verifier/src/printable.ts',
    original: '[\\p{Cc}',
    broken: '[\\u0000-\\u001f',
    tests: ['custody-verifier/test/printable'],
  },
  {
    name: 'terminal-escape-writer',
    mechanism: 'Every line of output is escaped, of tables, JSON and errors',
    file: 'operator/src/writer.ts',
    original: 'printable(line)',
    broken: 'line',
    tests: ['operator/test/output/texts-of-others'],
  },
  {
    name: 'secret-not-shown',
    mechanism: 'A secret that cannot be printed is revoked',
    file: 'operator/src/output.ts',
    original: 'await revoke().catch(',
    broken: 'await Promise.resolve().catch(',
    tests: ['operator/test/output/output-that-cannot'],
  },
];
