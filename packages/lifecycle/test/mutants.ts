import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'close-after-body',
    mechanism: 'A client that still sends its body reads the response that ends its connection',
    file: 'packages/lifecycle/src/http-server/request-order.ts',
    original: 'if (!request || request.complete) close();',
    broken: 'if (!request || request) close();',
    tests: ['lifecycle/test/http-server/unread-bodies'],
  },
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
