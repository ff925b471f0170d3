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
    name: 'relay-has-lease',
    mechanism: 'A relay publishes nothing after it has lost its lease',
    file: 'packages/outbox/src/relay.ts',
    original: 'if (rows.length === 0 || !lease.isHeld()) return false;',
    broken: 'if (rows.length === 0) return false;',
    tests: ['outbox/test/relay/lease'],
  },
  {
    name: 'relay-wakes-sender',
    mechanism: 'A commit wakes the relay of another process that sends',
    file: 'packages/outbox/src/relay.ts',
    original: 'else others.notify();',
    broken: '',
    tests: ['outbox/test/relay/wake'],
  },
  {
    name: 'one-relay-sends',
    mechanism: 'One relay of a database sends at a time',
    file: 'packages/outbox/src/lease.ts',
    original: 'if (!rows[0]!.got) return false;',
    broken: '',
    tests: ['outbox/test/relay/lease'],
  },
  {
    name: 'lease-of-a-stopped-process',
    mechanism: 'Another process sends the rows of one that neither works nor ends',
    file: 'packages/outbox/src/lease.ts',
    original: "set_config('idle_session_timeout', '${silentSeconds}s', false)",
    broken: '1',
    tests: ['outbox/test/relay/lease'],
  },
  {
    name: 'lease-is-kept',
    mechanism: 'The server keeps the session of a process that works while it waits for the bus',
    file: 'packages/outbox/src/lease.ts',
    original: "current.query('select').catch(() => lose(current))",
    broken: 'undefined',
    tests: ['outbox/test/relay/lease'],
  },
  {
    name: 'partitions-wait-for-consumers',
    mechanism: 'A key moves to another partition only when all that was sent is handled',
    file: 'packages/outbox/src/topic-partitions.ts',
    original: 'await waitUntilHandled(topic, signal);',
    broken: '',
    tests: ['outbox/test/relay/repartition'],
  },
  {
    name: 'partitions-need-the-lease',
    mechanism: 'A process that has lost the lease changes no number of partitions',
    file: 'packages/outbox/src/lease.ts',
    original:
      "if (!session || !isHeld) throw new Error('the lease was lost');\n      await session.query",
    broken: 'await (await options.db.session()).query',
    tests: ['outbox/test/relay/repartition'],
  },
  {
    name: 'partitions-are-read-again',
    mechanism: 'A relay that acquires the lease uses the present number of partitions',
    file: 'packages/outbox/src/relay.ts',
    original: 'taken: () => partitions.forget(),',
    broken: 'taken: () => {},',
    tests: ['outbox/test/relay/repartition'],
  },
];
