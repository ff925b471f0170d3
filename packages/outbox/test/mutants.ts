import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'outbox-order',
    mechanism: 'Rows of a key leave the outbox in the order of their writing',
    file: 'packages/outbox/src/unsent.ts',
    original: "const oldestFirst = 'asc';",
    broken: "const oldestFirst = 'desc';",
    tests: ['outbox/test/relay/order'],
  },
  {
    name: 'relay-owns-shard',
    mechanism: 'A relay publishes nothing of a shard that it has lost',
    file: 'packages/outbox/src/shard-work.ts',
    original: 'if (!options.owned(shard)) return false;',
    broken: '',
    tests: ['outbox/test/relay/shard-work'],
  },
  {
    name: 'relay-wakes-owner',
    mechanism: 'A commit wakes the relay of another process that owns the shard',
    file: 'packages/outbox/src/relay.ts',
    original: 'if (notHeld.length > 0) others.notify(notHeld);',
    broken: '',
    tests: ['outbox/test/relay/wake'],
  },
];
