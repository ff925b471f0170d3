import { Client } from 'pg';

/**
 * Closes the databases that every new server has to every role but superusers. By default each role
 * may connect to them and create temporary tables there. Only for a server of our own: on a shared
 * one, roles of others may need `postgres`.
 */
export const closeOwnDatabases = async (superuserUrl: string): Promise<void> => {
  const client = new Client({ connectionString: superuserUrl });
  client.on('error', () => {}); // the current query rejects with the same error
  try {
    await client.connect();
    await client.query('revoke all on database postgres, template1 from public');
  } finally {
    await client.end().catch(() => {});
  }
};
