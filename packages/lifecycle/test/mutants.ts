import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'one-request-under-way',
    mechanism: 'A connection has one request under way',
    file: 'packages/lifecycle/src/http-server/request-order.ts',
    original: 'if (req.complete) return 0;',
    broken: '',
    tests: ['lifecycle/test/http-server/request-order'],
    named: 'one of each is under way',
  },
  {
    name: 'parser-after-connect',
    mechanism: 'After CONNECT no byte of a connection reaches the requests of another one',
    file: 'packages/lifecycle/src/http-server/client-errors.ts',
    original: '    requests.isOver = true;\n',
    broken: '',
    tests: ['lifecycle/test/http-server/request-order'],
  },
];
