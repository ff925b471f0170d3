import type { PoolClient } from 'pg';
import { isStalePlan } from '../sql-state.ts';
import { heldBack } from './pipelined-statements.ts';

/**
 * Maximum number of prepared statements per connection. Each takes about 10 kB of the server's
 * memory.
 */
const preparedMax = 200;
/**
 * Maximum number of statement texts that are remembered after their first use; then all of them are
 * forgotten.
 */
const seenMax = 1000;

/**
 * Makes a connection prepare each statement with parameters when its text is run for the second
 * time. PostgreSQL then parses the statement once, and plans it once if the parameters' values make
 * no difference. Serves R1: planning took three quarters of PostgreSQL's time for requests that read
 * an order (docs/performance.md). A statement whose result type a migration has changed is prepared
 * again at its next run.
 */
export const prepareRepeated = (client: PoolClient): void => {
  const run = client.query.bind(client) as (...words: unknown[]) => Promise<unknown>;
  const seen = new Set<string>();
  const names = new Map<string, string>();
  let prepared = 0;

  const nameOf = (text: string): string | undefined => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (!seen.has(text)) {
      if (seen.size === seenMax) seen.clear();
      seen.add(text);
      return undefined;
    }
    if (prepared === preparedMax) return undefined;
    const name = `s${prepared++}`;
    names.set(text, name);
    return name;
  };

  const query = (text: unknown, values?: unknown, ...rest: unknown[]) => {
    const hasParameters = typeof text === 'string' && Array.isArray(values) && values.length > 0;
    const name = hasParameters ? nameOf(text) : undefined;
    if (name === undefined || rest.length > 0) return run(text, values, ...rest);
    const forgetIfStale = (error: unknown) => {
      if (isStalePlan(error)) names.delete(text as string);
      throw error;
    };
    heldBack(values as unknown[])
      ?.promise.catch(forgetIfStale)
      .catch(() => {});
    return run({ name, text, values }).catch(forgetIfStale);
  };
  client.query = query as typeof client.query;
};
