/** A PostgreSQL server with continuous archiving, which can be killed, restored and promoted. */
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts, type GuardedProcess, startStore } from '@pto/stores';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import type { Bed } from '../drill.ts';
import { postgresOwner as owner, postgresPrograms } from './programs.ts';

/** To which moment a server is restored: to the last commit, unless `time` is given. */
export interface RestoreTarget {
  /** A time as PostgreSQL prints it. */
  readonly time?: string;
  /** `latest` by default. A second restore needs the timeline before the first one. */
  readonly timeline?: string;
}

interface Origin {
  /** Environment of the server's processes. */
  readonly environment?: NodeJS.ProcessEnv;
  /** The server that this one follows as a streaming replica, at this port of the network. */
  readonly primary?: { readonly url: string; readonly port: number };
}

/** Creates a server with a folder of its own for data, base backup and archive. */
export const openServer = async (
  bed: Bed,
  name: string,
  { environment = process.env, primary }: Origin = {},
) => {
  const bin = await postgresPrograms(bed);
  const guards = createGuards(bed.folder);
  bed.atEnd(guards.stopAll);
  const home = join(bed.folder, `server-${name}`);
  const [backup, archive] = [join(home, 'backup'), join(home, 'archive')];
  const password = primary ? new URL(primary.url).password : randomBytes(18).toString('base64url');
  const [port = 0] = await freePorts(1);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  const env = { ...process.env, PGPASSWORD: password };
  const state = {
    data: join(home, 'data'),
    /** Data folders of dead servers. */
    dead: [] as string[],
    running: null as GuardedProcess | null,
    hasEnded: false,
  };
  mkdirSync(archive, { recursive: true });
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (owner)
    for (const path of [home, archive, passwordFile]) chownSync(path, owner.uid, owner.gid);

  const run = (program: string, args: readonly string[], shown?: string) =>
    bed.command(join(bin, program), args, { env, owner, ...(shown && { shown }) });
  const baseBackup = (from: number, into: string, ...how: string[]) =>
    run(
      'pg_basebackup',
      [...['-h', '127.0.0.1', '-p', `${from}`, '-U', 'postgres'], ...how, '-D', into],
      `pg_basebackup -h HOST ${how.join(' ')}   # of ${name}`,
    );
  const query = async <T>(text: string): Promise<T> =>
    asSuperuser(url, 'postgres', async (client) => (await client.query(text)).rows[0] as T);

  const start = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    const settings: Record<string, string | number> = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 300,
      shared_buffers: '64MB',
      jit: 'off',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      archive_timeout: '5s',
      ...more,
    };
    const flags = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    // a replica accepts no writes, and a restored server none before it is promoted
    const wanted = primary && !state.dead.length ? 'select true as ok' : writable;
    const server = await startStore(
      guards,
      `postgres-${name}`,
      {
        ...{ command: join(bin, 'postgres'), args: ['-D', state.data, ...flags] },
        ...{ signal: 'INT', graceS: 20, env: environment, owner },
      },
      async () => (await query<{ ok: boolean }>(wanted)).ok,
    );
    state.running = server;
    state.hasEnded = false;
    void server.exited.then(() => {
      if (state.running === server) state.hasEnded = true;
    });
  };
  if (primary) await baseBackup(primary.port, state.data, '-R', '-X', 'stream', '-c', 'fast');
  else {
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin'];
    const more = ['--builtin-locale=C.UTF-8', '--wal-segsize=1', '--no-instructions'];
    const login = ['-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
    await run('initdb', ['-D', state.data, ...login, ...locale, ...more], `initdb of ${name}`);
  }
  await start();

  return {
    ...{ name, url, port },
    data: () => state.data,
    run,
    query,
    /** The server's time, as an operator writes it down. */
    now: async () => (await query<{ now: string }>('select clock_timestamp()::text as now')).now,
    /** The number of the server's timeline: each promotion after a restore begins another one. */
    timeline: async () => {
      const text = 'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as hex';
      return `${Number.parseInt((await query<{ hex: string }>(text)).hex, 16)}`;
    },
    /** Ends the server as a failing machine does. */
    kill: async (): Promise<void> => {
      bed.note(`  kill -KILL of the server ${name}`);
      process.kill(state.running!.pid, 'SIGKILL');
      await state.running!.exited;
    },
    hasEnded: () => state.hasEnded,
    /** Starts the server on its data, as a supervisor does where it has ended. */
    startAgain: (more: Readonly<Record<string, string>> = {}): Promise<void> => {
      bed.note(`  start of the server ${name}`);
      return start(more);
    },
    backup: () => baseBackup(port, backup, '-X', 'stream', '-c', 'fast'),
    /**
     * Makes a new data folder of the base backup, the archive and the WAL of dead servers, and starts
     * the server on it, at the same address.
     */
    restore: async ({ time, timeline = 'latest' }: RestoreTarget = {}): Promise<void> => {
      state.dead.push(state.data);
      state.data = join(home, `restored-${state.dead.length}`);
      const [to, walOfDead] = [state.data, state.dead.map((dead) => `${dead}/pg_wal`).join(' ')];
      const copying = `cp -a ${backup} ${to} && touch ${to}/recovery.signal &&
        find ${walOfDead} -maxdepth 1 -type f -exec cp -n {} ${to}/pg_wal/ ';'`;
      await bed.command('sh', ['-c', copying], {
        owner,
        shown: `cp -a backup restored-${state.dead.length}, and the WAL of dead servers`,
      });
      const recovery = {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_timeline: timeline,
        ...(time !== undefined && { recovery_target_time: time }),
        recovery_target_action: 'promote',
        hot_standby: 'off', // nobody reads a half-restored database
      };
      for (const [key, value] of Object.entries(recovery))
        bed.note(`  ${key} = '${value.replaceAll(bed.folder, '…')}'`);
      await start(recovery);
    },
  };
};

export type Server = Awaited<ReturnType<typeof openServer>>;

const writable = 'select not pg_is_in_recovery() as ok';
