import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Guards } from '../guards.ts';
import { freePorts } from '../ports.ts';
import { type RunningStore, startStore } from '../store.ts';
import { isReachable, postgresArguments } from './postgres.ts';
import { openCluster } from './postgres-cluster.ts';
import { withClient } from './with-client.ts';

const run = promisify(execFile);

/**
 * Starts a streaming replica of the PostgreSQL that runs in a folder. The first start copies its
 * data.
 * @param primaryDir the folder of the primary, which `startPostgres` has started.
 * @param primaryUrl its superuser's URL.
 * @param port of an earlier start; absent: a free one.
 * @returns the store and the superuser's URL.
 */
export const startStandby = async (
  primaryDir: string,
  primaryUrl: string,
  guards: Guards,
  port?: number,
): Promise<RunningStore & { url: string; port: number }> => {
  const primary = await openCluster(primaryDir, guards);
  const data = `${primary.data}-standby`;
  if (!existsSync(data)) await copyCluster(primary.data, data, primaryUrl);
  if (primary.owner) await run('chown', ['-R', `${primary.owner.uid}:${primary.owner.gid}`, data]);
  const at = port ?? (await freePorts(1))[0]!;
  const { hostname, port: primaryPort, password } = new URL(primaryUrl);
  const url = new URL(primaryUrl);
  url.port = `${at}`;
  const store = await startStore(
    guards,
    'standby',
    {
      command: join(primary.native, 'bin/postgres'),
      args: postgresArguments(data, {
        port: at,
        primary_conninfo: `host=${hostname} port=${primaryPort} user=postgres password=${decodeURIComponent(password)}`,
      }),
      signal: 'INT',
      graceS: 20,
      owner: primary.owner,
    },
    () => isReachable(url.href),
  );
  return { ...store, url: url.href, port: at };
};

/** Copies a running server's data, as PostgreSQL's low-level interface for backups describes. */
const copyCluster = (from: string, to: string, url: string): Promise<void> =>
  withClient(url, async (client) => {
    await client.query("select pg_backup_start('standby', true)");
    await run('cp', ['-R', from, to]);
    const { rows } = await client.query<{ labelfile: string }>(
      'select * from pg_backup_stop(false)',
    );
    for (const name of ['postmaster.pid', 'postmaster.opts', 'pg_wal'])
      rmSync(join(to, name), { recursive: true, force: true });
    mkdirSync(join(to, 'pg_wal'), { mode: 0o700 });
    writeFileSync(join(to, 'backup_label'), rows[0]!.labelfile, { mode: 0o600 });
    writeFileSync(join(to, 'standby.signal'), '', { mode: 0o600 });
  });
