/** A statement that serves no single organization, and why that is so. */
export interface StatementException {
  /** A part of the statement, in one line, that no other statement has. */
  readonly part: string;
  readonly why: string;
}

/**
 * Returns a sentence for each statement that names a table of organizations and not their
 * `organization_id` in its conditions, unless it is an exception, and for each exception that no
 * such statement has.
 * @param statements as PostgreSQL received them, or as pg_stat_statements shows them.
 * @param tables those that hold data of organizations (`organizationTables`).
 */
export const judgeStatements = async (
  statements: readonly string[],
  tables: ReadonlySet<string>,
  exceptions: readonly StatementException[],
): Promise<string[]> => {
  // PostgreSQL's parser is loaded only by the tests that need it
  const { unboundTables } = await import('./judge-statement.ts');
  const unused = new Set(exceptions);
  const found = new Set<string>();
  for (const statement of statements) {
    const text = statement.replace(/\s+/g, ' ').trim();
    if (!readsOrWrites.test(text)) continue;
    const unbound = unboundTables(statement, tables);
    if (unbound.length === 0) continue;
    const exception = exceptions.find(({ part }) => text.includes(part));
    if (exception) unused.delete(exception);
    else found.add(`No organization for ${unbound.join(', ')}: ${text}`);
  }
  return [...found, ...[...unused].map(({ part }) => `The exception "${part}" has no statement.`)];
};

const readsOrWrites = /^(select|insert|update|delete|with)\b/i;
