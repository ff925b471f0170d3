import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'event-proof',
    mechanism: 'An event whose proof of origin does not match is rejected',
    file: 'packages/message-authentication/src/proof-of-origin.ts',
    original: 'timingSafeEqual(found.code, expected))',
    broken: 'timingSafeEqual(expected, expected))',
    tests: ['message-authentication/test/message'],
  },
  {
    name: 'event-proof-recipient',
    mechanism: 'A proof of origin for another recipient is not accepted',
    file: 'packages/message-authentication/src/proof-of-origin.ts',
    original: '(code) => code.recipient === recipient',
    broken: '() => recipient !== undefined',
    tests: ['message-authentication/test/message'],
  },
];
