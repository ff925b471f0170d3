import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'listen-position-after-answer',
    mechanism: 'The position follows the answer of the receiver: no event is lost',
    file: 'clients/command-line/src/listen/listen.ts',
    original: 'position.write({ after: number - 1, forwarding: number });',
    broken: 'position.write({ after: number, forwarding: null });',
    tests: ['clients/command-line/test/listen'],
  },
  {
    name: 'listen-renewed-lease',
    mechanism: 'A lease that is renewed has an owner: no event is forwarded twice',
    file: 'clients/command-line/src/listen/lock.ts',
    original: 'if (now !== first) return true;',
    broken: '',
    tests: ['clients/command-line/test/listen'],
  },
  {
    name: 'stored-key-one-server',
    mechanism: 'A stored key is sent to the API that it was stored for alone',
    file: 'clients/command-line/src/credential.ts',
    original: 'if (baseUrl && baseUrl !== stored.baseUrl)',
    broken: 'if (false)',
    tests: ['clients/command-line/test/ping'],
  },
];
