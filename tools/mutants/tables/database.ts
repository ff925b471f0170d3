import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of the package `database`. */
export const databaseMutants: readonly Mutant[] = [
  {
    name: 'default-partition-rows',
    mechanism: 'Rows in the default partition do not prevent the partition of their day',
    file: 'packages/database/src/partitions/rotation-functions.ts',
    original: 'perform move_default_partition_rows(',
    broken: 'perform (',
    tests: ['rotation/default-partition'],
  },
  {
    name: 'rotation-other-days',
    mechanism: 'A day whose partition cannot be created stops no other day and no other table',
    file: 'packages/database/src/partitions/rotation-functions.ts',
    original: "raise warning 'partition % was not created: %', child, sqlerrm;",
    broken: 'raise;',
    tests: ['rotation/default-partition'],
  },
  {
    name: 'rotation-reports-missing',
    mechanism: 'A rotation after which a coming day has no partition is counted',
    file: 'packages/database/src/partitions/rotate-daily-partitions.ts',
    original: 'if (missing === null || missing.length > 0) failures.inc({ table });',
    broken: 'if (missing === null) failures.inc({ table });',
    tests: ['rotation/default-partition'],
  },
  {
    name: 'wrong-clock-not-ready',
    mechanism: 'A process whose clock is more than 60 s off is not ready',
    file: 'packages/database/src/clock-skew.ts',
    original: 'if (wrongByMs !== 0)',
    broken: 'if (wrongByMs > 1e12)',
    tests: ['database/test/clock'],
  },
  {
    name: 'clock-behind',
    mechanism: 'A clock that is behind is as wrong as one that is ahead',
    file: 'packages/database/src/clock-skew.ts',
    original: 'Math.abs(skewMs) > skewMaxMs',
    broken: 'skewMs > skewMaxMs',
    tests: ['database/test/clock'],
  },
  {
    name: 'array-of-malformed-ids',
    mechanism: 'A malformed id in a binary array is never taken for another one',
    file: 'packages/database/src/values/uuid-bytes.ts',
    original: 'return wrong < 16;',
    broken: 'return true;',
    tests: ['packages/database/test/values/binary-array'],
  },
  {
    name: 'read-store-failure',
    mechanism:
      'A read by the entity manager without a connection is SERVICE_UNAVAILABLE, not INTERNAL',
    file: 'packages/database/src/open-database.ts',
    original: 'read: (reads) => retried(() => reads(orm.em.fork())),',
    broken: 'read: (reads) => reads(orm.em.fork()),',
    tests: ['packages/database/test/unavailable'],
  },
  {
    name: 'close-waits-for-work',
    mechanism:
      'A close waits for the queries under way, as a lost connection would hold it forever',
    file: 'packages/database/src/open-database.ts',
    original: 'await work.end();',
    broken: '',
    tests: ['packages/database/test/close'],
  },
  {
    name: 'prepared-max',
    mechanism: 'A connection prepares a bounded number of statements',
    file: 'packages/database/src/connections/prepare-repeated.ts',
    original: 'if (prepared === preparedMax) return undefined;',
    broken: '',
    tests: ['database/test/connections/prepare-repeated'],
  },
  {
    name: 'stale-plan',
    mechanism: 'A statement whose result a migration changed is prepared again',
    file: 'packages/database/src/sql-state.ts',
    original: ' || isStalePlan(error)',
    broken: '',
    tests: ['database/test/connections/prepare-repeated'],
  },
];
