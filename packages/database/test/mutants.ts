import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'pipeline-one-sync',
    mechanism: 'PostgreSQL skips the commit behind a pipelined statement that failed',
    file: 'packages/database/src/connections/pooled-connection.ts',
    original: 'const sync = { value: () => {} };',
    broken: 'const sync = { value: () => connection.sync() };',
    tests: ['packages/database/test/connections/pooled-connection'],
  },
  {
    name: 'pipeline-rollback',
    mechanism: 'A rollback drops the pipelined statements that were not sent',
    file: 'packages/database/src/connections/pooled-connection.ts',
    original: 'for (const { result } of this.#held.splice(0)) result?.reject(error);',
    broken: '',
    tests: ['packages/database/test/connections/pooled-connection'],
  },
  {
    name: 'gone-session-with-unsent-data',
    mechanism: 'A session of a lost node ends in 11 s though a notification waits for it',
    file: 'packages/database/src/connections/pool.ts',
    original: "tcp_user_timeout: '11000',",
    broken: '',
    tests: ['packages/database/test/connections/session-settings'],
  },
  {
    name: 'read-only-is-unavailable',
    mechanism: 'A database that accepts no writes is unavailable: 503, and nothing is parked',
    file: 'packages/database/src/sql-state.ts',
    original: '|25006|',
    broken: '|',
    tests: ['packages/database/test/store-failure', 'connections/read-only-sessions'],
  },
  {
    name: 'migrate-lock',
    mechanism: 'Of two migrating processes one migrates',
    file: 'packages/database/src/migrations/migrate.ts',
    original: 'if (row!.locked) return;',
    broken: 'if (row!.locked !== undefined) return;',
    tests: ['migrations/one-migration-at-a-time'],
  },
  {
    name: 'migration-lock-is-short',
    mechanism: 'Statements of partners do not queue behind a migration that waits for a lock',
    file: 'packages/database/src/migrations/migrate.ts',
    original: 'lockTimeoutMs: tableLockMs,',
    broken: 'lockTimeoutMs: 60_000,',
    tests: ['migrations/locked-tables'],
  },
  {
    name: 'wrong-clock-not-ready',
    mechanism: 'A process whose clock is more than 60 s off is not ready',
    file: 'packages/database/src/clock-skew.ts',
    original: 'if (wrongByMs !== 0)',
    broken: 'if (wrongByMs > 1e12)',
    tests: ['database/test/clock'],
  },
];
