import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { where } from './cluster.ts';

const forwardedWithinMs = 30_000;

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
  const words = ['port-forward', '--address=127.0.0.1', 'service/postgres', ':5432'];
  const child = spawn('kubectl', [...where, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const signal = AbortSignal.timeout(forwardedWithinMs);
    const [line] = await once(child.stdout, 'data', { signal });
    const [, port] = /127\.0\.0\.1:(\d+) ->/.exec(String(line)) ?? [];
    if (port === undefined) throw new Error(`kubectl port-forward printed ${line}`);
    const forwarded = new URL(url);
    forwarded.host = `127.0.0.1:${port}`;
    await asSuperuser(forwarded.href, database, (client) => client.query(statement));
  } finally {
    child.kill();
  }
};
