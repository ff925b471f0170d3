/**
 * PostgreSQL settings for this service's connections. A queue changes faster than its statistics:
 * with old ones the planner reads and hashes the complete queue where a look-up by key, or an index
 * scan that stops after eight rows, suffices (30 ms against 3 ms for 10,000 rows). Every statement
 * here has an index and rarely reads one key twice, so memoize is off, too.
 */
export const walkIndexes: Readonly<Record<string, string>> = {
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  enable_memoize: 'off',
};
