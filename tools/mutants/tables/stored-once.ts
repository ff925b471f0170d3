import type { Mutant } from '../mutant.ts';

/** What is stored once, and what is never changed. */
export const storedOnceMutants: readonly Mutant[] = [
  {
    name: 'entry-follows-head',
    mechanism: 'An entry follows the head of its chain',
    file: 'services/custody/src/chain/link.ts',
    original: 'prev_event_hash: head.hash,',
    broken: 'prev_event_hash: genesisHash(event.orderId),',
    tests: ['custody/test/every-event-is-one-entry'],
  },
  {
    name: 'place-once',
    mechanism: 'An address of an organization is one location',
    file: 'services/orders/src/locations/save-location.ts',
    original:
      ".onConflict((conflict) => conflict.columns(['organization_id', 'address_key']).doNothing())",
    broken: '',
    tests: ['a-place-is-made-once'],
  },
  {
    name: 'violation-once',
    mechanism: 'A violation that two auditors report is stored once',
    file: 'services/orders/src/violations/record-violations.ts',
    original:
      ".expression(fragment`order_id, entry_id, md5(reason)`)\n      .where('resolved_at', 'is', null)",
    broken: ".column('id')",
    tests: ['orders/test/violations'],
  },
  {
    name: 'entries-append-only',
    mechanism: 'Entries are not changed or removed',
    file: 'services/custody/migrations/20261121090000_ledger.ts',
    original:
      'create trigger entries_are_append_only before update or delete or truncate on entries',
    broken: 'create trigger entries_are_append_only before truncate on entries',
    tests: ['the-ledger-cannot-be-rewritten'],
  },
  {
    name: 'chain-fork',
    mechanism: 'Two entries cannot follow the same one',
    file: 'services/custody/migrations/20261121090000_ledger.ts',
    original: `    unique (order_id, prev_event_hash)
`,
    broken: `    check (prev_event_hash is not null)
`,
    tests: ['the-ledger-cannot-be-rewritten'],
  },
  {
    name: 'produced-append-only',
    mechanism: 'Digests of produced events are not changed or removed',
    file: 'services/orders/migrations/20261122100000_produced_events.ts',
    original: 'before update or delete or truncate on produced_events',
    broken: 'before truncate on produced_events',
    tests: ['produced-events'],
  },
  {
    name: 'inbox-once',
    mechanism: 'An event that is delivered again has no second effect',
    file: 'packages/bus/src/consume/inbox.ts',
    original: 'return messages.filter(({ id }) => claimed.delete(id.toLowerCase()));',
    broken: 'return [...messages];',
    tests: ['an-event-has-one-effect'],
  },
  {
    name: 'probe-bound',
    mechanism: 'Handshakes and test requests are bounded',
    file: 'services/webhooks/src/endpoints/probe-budget.ts',
    original: "'<=',",
    broken: "'is distinct from',",
    tests: ['endpoints/probe-budget'],
  },
  {
    name: 'probe-returned',
    mechanism: 'A handshake that passes gives its probe back',
    file: 'services/webhooks/src/endpoints/probe-budget.ts',
    original: 'if (!isProven(probed)) await giveBack',
    broken: 'if (isProven(probed)) await giveBack',
    tests: ['endpoints/probe-budget'],
  },
  {
    name: 'migrate-lock',
    mechanism: 'Of two migrating processes one migrates',
    file: 'packages/database/src/migrations/migrate.ts',
    original: "await lock.query('select pg_advisory_lock($1)', [lockKey]);",
    broken: "await lock.query('select $1::bigint', [lockKey]);",
    tests: ['migrations-never-run-twice'],
  },
  {
    name: 'operator-log-append-only',
    mechanism: 'The log of operator actions is not changed or removed',
    file: 'services/gateway/migrations/20261122131500_operators.ts',
    original: `before update or delete or truncate on \${table}`,
    broken: `before truncate on \${table}`,
    tests: ['operators/audit'],
  },
];
