/** What an operator does with the servers of a failover. */
import { join } from 'node:path';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import type { Bed } from '../drill.ts';
import type { Server } from './server.ts';

/** Has the server's commits wait for its standby. */
export const synchronize = async (primary: Server): Promise<void> => {
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query('select pg_reload_conf()');
  const text = "select count(*) = 1 as ok from pg_stat_replication where sync_state = 'sync'";
  await until(async () => (await primary.query<{ ok: boolean }>(text)).ok, {
    what: 'a synchronous standby',
  });
};

/** Replaces a database of one server by that of another; no process may use it meanwhile. */
export const replaceDatabase = async (
  bed: Bed,
  from: Server,
  to: Server,
  name: string,
): Promise<void> => {
  const file = join(bed.folder, `server-${to.name}`, `${name}.dump`);
  const at = ({ port }: Server, database: string) =>
    ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-d', database] as const;
  await from.run(
    ...(['pg_dump', [...at(from, name), '-Fc', '-f', file]] as const),
    `pg_dump -h COPY -d ${name} -Fc -f ${name}.dump`,
  );
  await to.query(`alter database ${name} allow_connections false`);
  await to.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  await to.run(
    ...([
      'pg_restore',
      [...at(to, 'postgres'), '--clean', '--create', '--exit-on-error', file],
    ] as const),
    `pg_restore -h PRIMARY -d postgres --clean --create --exit-on-error ${name}.dump`,
  );
};

/** Returns those of these orders that a server has. */
export const ordersOn = (server: Server, ids: readonly string[]): Promise<string[]> =>
  asSuperuser(server.url, 'orders', async (client) => {
    const text = 'select id from orders where id = any($1::uuid[])';
    return (await client.query<{ id: string }>(text, [ids])).rows.map(({ id }) => id);
  });
