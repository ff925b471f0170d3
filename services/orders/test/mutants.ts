import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'idempotency-lock',
    mechanism: 'Of requests with one Idempotency-Key one makes the order',
    file: 'services/orders/src/idempotency.ts',
    original:
      "fn<boolean>('pg_try_advisory_xact_lock', [fn('hashtextextended', [given.name, lit(0)])]).as(",
    broken: "fn<boolean>('starts_with', [given.name, given.name]).as(",
    tests: ['orders/test/idempotency/idempotent-creations'],
  },
  {
    name: 'order-row-lock',
    mechanism: 'Of two commands on one order the second sees what the first has done',
    file: 'services/orders/src/changes/apply-command.ts',
    original: '\n    .forUpdate();',
    broken: ';',
    tests: ['of-two-commands-one-succeeds'],
  },
  {
    name: 'batch-key-once',
    mechanism: 'A batch of creations uses an Idempotency-Key once',
    file: 'services/orders/src/creation/create-order.ts',
    original: 'return !names.has(name) && names.add(name);',
    broken: 'return names.add(name);',
    tests: ['creation/create-batch'],
  },
  {
    name: 'batch-stored-response',
    mechanism: 'A batch makes no second order for an Idempotency-Key with a response',
    file: 'services/orders/src/creation/insert-orders.ts',
    original: 'not(exists(stored))',
    broken: "eb('g.key', 'is not', null)",
    tests: ['creation/create-batch'],
  },
  {
    name: 'change-after-poll',
    mechanism: 'No change gets a time before a moment that a poll has answered',
    file: 'services/orders/migrations/20261126060000_orders.ts',
    original: '(select at from poll_moments where organization_id = organization)',
    broken: 'null',
    tests: ['changes/clock-set-back'],
  },
  {
    name: 'shared-read-organization',
    mechanism: "Another organization's order is not found in a shared read",
    file: 'services/orders/src/reading/get-order.ts',
    original: 'if (!isOwn && organizationId !== null) throw orderNotFound();',
    broken: '',
    tests: ['reading/shared-reads'],
  },
  {
    name: 'produced-append-only',
    mechanism: 'Digests of produced events are not changed or removed',
    file: 'services/orders/migrations/20261126060000_orders.ts',
    original: 'before update or delete or truncate on produced_events',
    broken: 'before truncate on produced_events',
    tests: ['produced-events'],
  },
  {
    name: 'location-key',
    mechanism: 'A location and its replay are one fact',
    file: 'services/orders/src/locations/create-location.ts',
    original: 'if (scope) await storeResponses(tx, [{ scope, body }]);',
    broken: '',
    tests: ['locations/idempotent-locations'],
  },
];
