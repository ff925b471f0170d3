/**
 * Checks on one connection that it has the `statement_timeout` that this process requests. A
 * connection pooler that ignores startup parameters, such as PgBouncer in transaction mode, removes
 * the time limits and lets two replicas hold one session lock. The statement is text because it
 * reads the settings of the session, no table, on a pool that has no builder yet.
 * @throws Error naming the setting and what to do.
 */
export const checkSession = async (
  pool: { query(text: string): Promise<{ rows: { setting: string }[] }> },
  { statementTimeoutMs }: { statementTimeoutMs: number },
): Promise<void> => {
  const text = "select setting from pg_settings where name = 'statement_timeout'";
  const { rows } = await pool.query(text);
  const found = Number(rows[0]?.setting);
  if (found === statementTimeoutMs) return;
  throw new Error(
    `statement_timeout is ${found} ms on connections that ask for ${statementTimeoutMs}: a connection pooler ` +
      'ignores startup parameters. Connect to PostgreSQL itself, or run the pooler in session mode.',
  );
};
