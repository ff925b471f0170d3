import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of orders. */
export const ordersMutants: readonly Mutant[] = [
  {
    name: 'idempotency-lock',
    mechanism: 'Of requests with one Idempotency-Key one makes the order',
    file: 'services/orders/src/idempotency/idempotency.ts',
    original: 'select pg_advisory_xact_lock(hashtextextended($1, 0))',
    broken: 'select hashtextextended($1, 0)',
    tests: ['an-order-and-its-replay', 'a-key-is-kept'],
  },
  {
    name: 'idempotency-clock',
    mechanism: "An Idempotency-Key's age is measured by the database's clock",
    file: 'services/orders/src/idempotency/idempotency.ts',
    original: "uuidv7Sql('clock_timestamp()')",
    broken: "uuidv7Sql('to_timestamp(' + Date.now() / 1000 + ')')",
    tests: ['a-key-is-kept'],
  },
  {
    name: 'order-row-lock',
    mechanism: 'Of two commands on one order the second sees what the first has done',
    file: 'services/orders/src/orders/apply-command.ts',
    original: 'organization_id = $2) for update`',
    broken: 'organization_id = $2)`',
    tests: ['of-two-commands-one-wins'],
  },
  {
    name: 'change-after-poll',
    mechanism: 'No change gets a time before a moment that a poll has answered',
    file: 'services/orders/migrations/20261122201000_poll_moments.ts',
    original: '(select at from poll_moments where organization_id = organization)',
    broken: 'null',
    tests: ['orders/clock-set-back'],
  },
  {
    name: 'change-after-shown',
    mechanism: 'No change gets a time before the latest that a poll has shown',
    file: 'services/orders/src/orders/list-orders.ts',
    original: 'if (latest > asOf)',
    broken: 'if (latest < asOf)',
    tests: ['orders/clock-set-back'],
  },
  {
    name: 'poll-waits-for-changes',
    mechanism: 'A poll waits for the changes under way',
    file: 'services/orders/src/orders/change-time.ts',
    original: "'select pg_advisory_xact_lock($1, hashtext($2::uuid::text))'",
    broken: "'select $1::int, hashtext($2::uuid::text)'",
    tests: ['a-poll-misses-no-change'],
  },
  {
    name: 'updated-at-grows',
    mechanism: "An order's updated_at never decreases",
    file: 'services/orders/src/orders/apply-command.ts',
    original: 'updated_at = greatest(updated_at, change.at)',
    broken: 'updated_at = greatest(created_at, change.at)',
    tests: ['orders/clock-set-back'],
  },
];
