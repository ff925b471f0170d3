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
    original: 'if (!shards.every(options.owned)) return false;',
    broken: '',
    tests: ['outbox/test/relay/shard-work'],
  },
  {
    name: 'relay-wakes-owner',
    mechanism: 'A commit wakes the relay of another process that owns the shard',
    file: 'packages/outbox/src/relay.ts',
    original: 'if (ofOthers.length > 0) others.notify(ofOthers);',
    broken: '',
    tests: ['outbox/test/relay/wake'],
  },
  {
    name: 'shard-locks-exclude-parts',
    mechanism: 'No relay holds a shard of which another one holds a part',
    file: 'packages/outbox/src/shard-share.ts',
    original: '...ancestorsOf(shard).map(',
    broken: '...ancestorsOf(shard).slice(0, 0).map(',
    tests: ['outbox/test/relay/shard-leases'],
    named: 'gets no shard of which another process holds a part',
  },
  {
    name: 'shard-lock-is-exclusive',
    mechanism: 'A shard has one relay at a time',
    file: 'packages/outbox/src/shard-share.ts',
    original: 'isExclusive: true }',
    broken: 'isExclusive: false }',
    tests: ['outbox/test/relay/shard-leases'],
    named: 'none goes to a process',
  },
  {
    name: 'shards-of-all-members',
    mechanism: 'All relays use the lowest number of shards among them',
    file: 'packages/outbox/src/shard-share.ts',
    original: 'Math.min(...members',
    broken: 'Math.max(...members',
    tests: ['outbox/test/relay/shard-leases'],
    named: 'a higher number takes effect',
  },
  {
    name: 'relay-reads-its-slices',
    mechanism: 'A relay reads the rows of its own shards alone',
    file: 'packages/outbox/src/unsent.ts',
    original: '.where(isInSlices)',
    broken: '',
    tests: ['outbox/test/relay/changed-shards'],
  },
];
