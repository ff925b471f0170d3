import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of custody. */
export const custodyMutants: readonly Mutant[] = [
  {
    name: 'redelivered-event',
    mechanism: 'An event that is an entry already holds up nothing',
    file: 'services/custody/src/chain/append.ts',
    original: 'if (stored.has(event)) continue;',
    broken: '',
    tests: ['every-event-is-one-entry'],
  },
  {
    name: 'redelivered-content',
    mechanism: 'An event in the place of an entry, with other content, is not taken for it',
    file: 'services/custody/src/chain/stored-events.ts',
    original: 'return link(before, event).event_hash === stored.event_hash;',
    broken: 'return link(before, event).event_hash !== "";',
    tests: ['every-event-is-one-entry'],
  },
  {
    name: 'chain-gap',
    mechanism: 'The ledger accepts no gap in the sequence of an order',
    file: 'services/custody/src/chain/link.ts',
    original: 'if (event.sequence !== head.sequence + 1)',
    broken: 'if (event.sequence < head.sequence + 1)',
    tests: ['every-event-is-one-entry', 'custody/test/chain'],
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
    name: 'chain-begun-before',
    mechanism: 'A chain that exists already is not begun again',
    file: 'services/custody/src/chain/heads.ts',
    original: "conflict.column('order_id').doNothing()",
    broken:
      "conflict.column('order_id').doUpdateSet(({ ref }) => ({ order_id: ref('excluded.order_id') }))",
    tests: ['services/custody/test/chain/new-chains'],
  },
  {
    name: 'proof-not-announced',
    mechanism: 'The proof of origin that was for custody alone leaves custody with no event',
    file: 'services/custody/src/chain/announcement.ts',
    original: 'if (event.authentication === undefined) return value;',
    broken: 'return value;',
    tests: ['services/custody/test/chain/announcement'],
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
    name: 'required-checkpoints-alone',
    mechanism: 'Checkpoints that the anchor need not have do not count against the limit of a page',
    file: 'services/custody/src/verification/required-checkpoints.ts',
    original: "range.where(({ ref }) => ref('hourly'))",
    broken: 'range',
    tests: ['custody/test/an-anchor-is-verified'],
  },
];
