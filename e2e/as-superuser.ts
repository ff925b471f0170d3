import pg from 'pg';

export type DatabaseName = 'access' | 'orders' | 'custody' | 'webhooks';

/** Runs statements as the superuser of a PostgreSQL server, in one of its databases. */
export const asSuperuser = async <T>(
  superuserUrl: string,
  database: DatabaseName | 'postgres',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const url = new URL(superuserUrl);
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
