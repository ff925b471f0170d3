import type { Sql } from './database.ts';
import { type Placeholders, statement } from './statements/statement.ts';
import { tablesOf } from './statements/tables.ts';

const lockHash = statement((given: Placeholders<{ name: string }>) =>
  tablesOf([]).selectNoFrom(({ fn, lit }) =>
    fn<string>('pg_advisory_xact_lock', [fn('hashtextextended', [given.name, lit(0)])]).as('lock'),
  ),
);

/**
 * Waits for other transactions that lock this name, then locks the name until the transaction ends.
 * All names of a database share one namespace: begin each name with its purpose.
 */
export const lockName = async (tx: Sql, name: string): Promise<void> => {
  await lockHash(tx, { name });
};
