import assert from 'node:assert/strict';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import type { Stage } from '../stage/rehearsal.ts';
import type { Node, Patroni } from './patroni.ts';
import { postgresOwner as owner } from './programs.ts';

/**
 * Starts a server on a copy of a dead node's disk, which has the commits that the new primary lacks.
 * The copy comes before the node starts again: Patroni rewinds it then.
 * @returns the server's URL.
 */
export const openDeadDisk = async (
  stage: Stage,
  { bin, password }: Patroni,
  node: Node,
): Promise<string> => {
  const copy = join(stage.folder, `disk-of-${node.name}`);
  cpSync(node.data, copy, { recursive: true });
  for (const file of ['standby.signal', 'postmaster.pid'])
    rmSync(join(copy, file), { force: true });
  chmodSync(copy, 0o700);
  if (owner)
    await stage.command('chown', ['-R', `${owner.uid}:${owner.gid}`, copy], {
      shown: `cp -a DISK copy && rm -f copy/standby.signal   # of node ${node.name}`,
    });
  const [port = 0] = await freePorts(1);
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  // Patroni's file of settings names the standby: nobody would confirm a commit
  const settings = [`port=${port}`, 'synchronous_standby_names=', 'unix_socket_directories='];
  await guards.run(`disk-of-${node.name}`, {
    command: join(bin, 'postgres'),
    args: ['-D', copy, ...settings.flatMap((one) => ['-c', one])],
    ...{ signal: 'INT', graceS: 10, owner },
  });
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await until(() => asSuperuser(url, 'postgres', async () => true), { what: 'the copied disk' });
  return url;
};

/** Replaces a database of one server by that of another; no process may use it meanwhile. */
export const replaceDatabase = async (
  stage: Stage,
  { bin, password, url }: Patroni,
  from: string,
  name: string,
): Promise<void> => {
  const file = join(stage.folder, `${name}.dump`);
  const at = (server: string, database: string) => {
    const { port } = new URL(server);
    return ['-h', '127.0.0.1', '-p', port, '-U', 'postgres', '-d', database];
  };
  const env = { ...process.env, PGPASSWORD: password };
  await stage.command(join(bin, 'pg_dump'), [...at(from, name), '-Fc', '-f', file], {
    env,
    shown: `pg_dump -h DEAD-DISK -d ${name} -Fc -f ${name}.dump`,
  });
  await asSuperuser(url, 'postgres', (client) =>
    client.query(`alter database ${name} allow_connections false`),
  );
  await asSuperuser(url, 'postgres', (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      name,
    ]),
  );
  await stage.command(
    join(bin, 'pg_restore'),
    [...at(url, 'postgres'), '--clean', '--create', '--exit-on-error', file],
    { env, shown: `pg_restore -h PRIMARY -d postgres --clean --create ${name}.dump` },
  );
};

/** Returns those of these orders that a server has. */
export const ordersOn = (server: string, ids: readonly string[]): Promise<string[]> =>
  asSuperuser(server, 'orders', async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from orders where id = any($1::uuid[])',
      [ids],
    );
    assert(rows.length <= ids.length);
    return rows.map(({ id }) => id);
  });
