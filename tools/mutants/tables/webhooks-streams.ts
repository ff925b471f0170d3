import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of events, their streams and the queue. */
export const webhooksStreamMutants: readonly Mutant[] = [
  {
    name: 'kept-events-clock',
    mechanism: "Kept events are ordered by the database's clock",
    file: 'services/webhooks/src/streams/keep-events.ts',
    original: 'uuidv7Sql(fragment<string>`now()`,',
    broken: "uuidv7Sql(fragment.raw('to_timestamp(' + Date.now() / 1000 + ')'),",
    tests: ['streams/keep-events'],
  },
  {
    name: 'wake-after-commit',
    mechanism: 'The deliverer is woken after the commit, never before it',
    file: 'services/webhooks/src/dispatcher/dispatcher.ts',
    original: 'marked.add(tx);',
    broken: 'marked.add(tx);\n      committed();',
    tests: ['dispatcher/after-commit'],
  },
  {
    name: 'url-change-queues',
    mechanism: 'Events that occur while a new URL is verified are queued',
    file: 'services/webhooks/src/dispatcher/dispatch.ts',
    original: ' > now(), false)`',
    broken: ' > now(), false) is null`',
    tests: ['endpoints/url-change'],
  },
  {
    name: 'unverified-not-queued',
    mechanism: 'Nothing is queued for an endpoint that was never verified, or was BROKEN',
    file: 'services/webhooks/src/dispatcher/dispatch.ts',
    original: ' > now(), false)`',
    broken: ' > now(), false) is not null`',
    tests: ['endpoints/url-change'],
  },
  {
    name: 'stream-lock-order',
    mechanism: 'All transactions lock streams in one order',
    file: 'services/webhooks/src/streams/next-sequences.ts',
    original: ".orderBy('s.endpoint_id')\n",
    broken: ".orderBy('s.endpoint_id', 'desc')\n",
    tests: ['streams/next-sequences'],
  },
  {
    name: 'leased-not-ended',
    mechanism: 'What is leased is left to the end of its attempt when its endpoint is gone',
    file: 'services/webhooks/src/queue/end-stale.ts',
    original: "eb('p.lease_until', '<=', now)",
    broken: "eb('p.lease_until', 'is not', null)",
    tests: ['deliverer/leases'],
  },
  {
    name: 'recover-delivered',
    mechanism: 'A recovery sends nothing that was delivered or is on its way',
    file: 'services/webhooks/src/streams/recover-endpoint.ts',
    original: ".where('d.state', '<>', fragment.lit('EXHAUSTED')),",
    broken: '.where(({ lit }) => lit(false)),',
    tests: ['streams/recover-endpoint'],
  },
];
