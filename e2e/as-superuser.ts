import pg from 'pg';
import type { LocalStack } from './local-stack.ts';

export type DatabaseName = 'access' | 'orders' | 'custody' | 'webhooks';

/** Runs statements as the superuser of a PostgreSQL server, given by its URL or by its local stack. */
export const asSuperuser = async <T>(
  server: string | LocalStack,
  database: DatabaseName | 'postgres',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const url = new URL(
    typeof server === 'string' ? server : server.file().stores.postgres.superuser,
  );
  url.pathname = `/${database}`;
  const client = new pg.Client({ connectionString: url.href, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {}); // the server may be crashed, or its database replaced
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
