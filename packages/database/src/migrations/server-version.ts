import type { ClientBase } from 'pg';

/** Oldest major version of PostgreSQL that has every statement of the migrations. */
const oldest = 16;

/**
 * Checks that a server is new enough for the migrations, before a statement changes anything.
 * @throws Error naming the server's version and the required one.
 */
export const checkServerVersion = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) >= oldest) return;
  throw new Error(
    `the server is PostgreSQL ${version}: upgrade it to PostgreSQL ${oldest} or newer`,
  );
};
