import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { where } from './cluster.ts';
import { forwardPort } from './port-forward.ts';

/**
 * Runs a statement at the cluster's PostgreSQL, through `kubectl port-forward`: the store's image
 * need not have `psql`.
 * @param url of the administrator, as the pods have it.
 * @param database in which it runs.
 */
export const asAdministrator = async (
  url: string,
  statement: string,
  database: 'access' | 'postgres' = 'postgres',
): Promise<void> => {
  const { port, close } = await forwardPort(where, 'service/postgres', 5432);
  try {
    const forwarded = new URL(url);
    forwarded.host = `127.0.0.1:${port}`;
    await asSuperuser(forwarded.href, database, (client) => client.query(statement));
  } finally {
    close();
  }
};
