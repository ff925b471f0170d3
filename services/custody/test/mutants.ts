import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'redelivered-event',
    mechanism: 'An event that is an entry already holds up nothing',
    file: 'services/custody/src/chain/append.ts',
    original: '.filter((event) => !stored.has(event))',
    broken: '',
    tests: ['custody/test/chain/every-event'],
  },
  {
    name: 'chain-gap',
    mechanism: 'The ledger accepts no gap in the sequence of an order',
    file: 'services/custody/src/chain/entry.ts',
    original: 'if (event.sequence !== head.sequence + 1)',
    broken: 'if (event.sequence < head.sequence + 1)',
    tests: ['custody/test/chain/link'],
  },
  {
    name: 'chain-begun-meanwhile',
    mechanism: 'A later event waits for the transaction that begins its chain',
    file: 'services/custody/src/chain/heads.ts',
    original: 'if (missing.length === 0) return found;',
    broken: 'return found;',
    tests: ['services/custody/test/chain/new-chains'],
  },
  {
    name: 'entries-append-only',
    mechanism: 'Entries are not changed or removed',
    file: 'services/custody/migrations/20261126090000_custody.ts',
    original:
      'create trigger entries_are_append_only before update or delete or truncate on entries',
    broken: 'create trigger entries_are_append_only before truncate on entries',
    tests: ['custody/test/chain/ledger-is-append-only'],
  },
  {
    name: 'chain-fork',
    mechanism: 'Two entries cannot follow the same one',
    file: 'services/custody/migrations/20261126090000_custody.ts',
    original: '    unique (order_id, prev_event_hash)\n',
    broken: '    check (prev_event_hash is not null)\n',
    tests: ['custody/test/chain/ledger-is-append-only'],
  },
  {
    name: 'registered-keys-sign',
    mechanism: 'A replica whose keys are not exactly the registered ones signs nothing',
    file: 'services/custody/src/checkpoints/checkpoints.ts',
    original: ' || !(await areCurrentKeys(tx, signer.vkeys))',
    broken: '',
    tests: ['custody/test/log-key-rotation'],
  },
  {
    name: 'log-in-queue-order',
    mechanism: 'Entries take their places in the log in the order of their queueing',
    file: 'services/custody/src/log/integrate.ts',
    original: ".over((over) => over.orderBy('id'))",
    broken: ".over((over) => over.orderBy('id', 'desc'))",
    tests: ['services/custody/test/log/integrate'],
  },
  {
    name: 'undeclared-field',
    mechanism: 'The ledger takes no plain personal value',
    file: 'services/custody/src/chain/append.ts',
    original: 'rejectUndeclaredFields(event);',
    broken: '',
    tests: ['chain/declared-fields'],
  },
  {
    name: 'open-commitment',
    mechanism: 'An open field cannot look like a withheld personal one',
    file: 'services/custody/src/chain/declared-fields.ts',
    original: "if (declared === 'open' && isCommitment)",
    broken: "if (declared === 'open' && isCommitment && field === '')",
    tests: ['chain/declared-fields'],
  },
];
