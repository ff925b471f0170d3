/** Where SQL is text: every other statement is built from the entities' tables. */

/** Files whose statements are text, each with its reason in a comment. */
export const textFiles: readonly string[] = [
  'packages/bus/src/postgres/postgres-bus.ts',
  'packages/bus/src/postgres/postgres-subscription.ts',
  'packages/database/src/connections/check-session.ts',
  'packages/database/src/partitions/rotate-daily-partitions.ts',
  'packages/database/src/savepoint.ts',
  'packages/database/src/session-lock.ts',
  'packages/moves/src/hold.ts',
  'packages/outbox/src/topic-partitions.ts',
  'services/webhooks/src/deliverer/claim-sql.ts',
  'services/webhooks/src/deliverer/record-sql.ts',
];

/** Files that run what others build or write, and the pools themselves. */
const runners: readonly string[] = [
  'packages/database/src/connections/pooled-connection.ts',
  'packages/database/src/statements/statement.ts',
  'packages/outbox/src/lease.ts',
];

/** Files with text inside of a built statement that names no column: a clock, a type. */
const rawParts: readonly string[] = ['services/webhooks/src/database-clock.ts'];

export const listed: ReadonlySet<string> = new Set([...textFiles, ...runners, ...rawParts]);

/**
 * Whether the rule applies: not to migrations, which are SQL, nor to the mover, which reads and writes
 * the tables of services whose entities it may not import.
 */
export const isChecked = (path: string): boolean =>
  /^(?:services|packages)\/[^/]+\/src\/.*\.ts$/.test(path) &&
  !/\/migrations\/|^services\/operators\/src\/mover\//.test(path);

/** A text that is run (`sql.query(…)`), or that becomes part of a statement (`fragment.raw(…)`). */
const text = /\.(?:query|raw)\s*[<(]|\bgetKysely\(/;

/**
 * Returns what is wrong with a file: it runs SQL text and is not listed, or is listed and runs none.
 */
export const statementViolations = (path: string, source: string): string[] => {
  const lines = source.split('\n');
  const found = lines.flatMap((line, n) => (text.test(line) ? [n + 1] : []));
  if (listed.has(path))
    return found.length > 0
      ? []
      : [`${path}: no SQL text is left: remove it from tools/rules/statements.ts`];
  return found.map(
    (line) =>
      `${path}:${line}: SQL as text. Build it with \`tables\` and run it with \`execute\` or \`statement\` (docs/decisions/data-access.md)`,
  );
};
