import { withClient } from '@pto/stores';
import type { TestDatabase } from '../test-database.ts';

/**
 * Records the statements of the service's role in a database by pg_stat_statements, also those of
 * functions that run with its rights. Only for connections that are opened from now on.
 * @returns a function that returns the recorded statements.
 * @throws Error if the server does not load pg_stat_statements.
 */
export const recordStatements = async ({
  name,
  superuserUrl,
}: TestDatabase): Promise<() => Promise<string[]>> => {
  await withClient(superuserUrl, async (client) => {
    const { rows } = await client.query<{ libraries: string }>(
      "select current_setting('shared_preload_libraries') as libraries",
    );
    if (!rows[0]!.libraries.includes('pg_stat_statements'))
      throw new Error(
        `shared_preload_libraries is "${rows[0]!.libraries}": start the server with pg_stat_statements`,
      );
    await client.query('create schema recorded');
    await client.query('create extension pg_stat_statements schema recorded');
    await client.query(`alter database ${name} set pg_stat_statements.track = 'all'`);
  });
  return () =>
    withClient(superuserUrl, async (client) => {
      const { rows } = await client.query<{ query: string }>(
        `select distinct s.query from recorded.pg_stat_statements s
         join pg_database d on d.oid = s.dbid and d.datname = current_database()
         where pg_get_userbyid(s.userid) = current_database() || '_service'`,
      );
      return rows.map(({ query }) => query);
    });
};
