import { type Kysely, sql } from 'kysely';
import type { Sql, Transaction } from './database.ts';
import { execute } from './statements/execute.ts';
import { type Given, statement } from './statements/statement.ts';
import { tablesOf } from './statements/tables.ts';

const lockHash = statement((given: Given<{ name: string }>) =>
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

/**
 * Locks a table against writers, and against other transactions that call this function, until the
 * transaction ends.
 */
export const lockTable = async <Tables>(
  tx: Transaction,
  tables: Kysely<Tables>,
  table: keyof Tables & string,
): Promise<void> => {
  const lock = sql<never>`lock table ${sql.table(table)} in share row exclusive mode`;
  await execute(tx, { compile: () => lock.compile(tables) });
};
