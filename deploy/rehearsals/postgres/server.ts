/** A PostgreSQL server with continuous archiving, which can be killed and restored. */
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts, type GuardedProcess } from '@pto/stores';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { postgresOwner as owner, postgresPrograms } from './programs.ts';

const startMaxMs = 60_000;

/** To which moment a server is restored: to the last commit, unless `time` is given. */
export interface RestoreTarget {
  /** A time as PostgreSQL prints it. */
  readonly time?: string;
  /** `latest` by default. A second restore needs the timeline before the first one. */
  readonly timeline?: string;
}

/**
 * Creates a server with a folder of its own for data, base backup and archive.
 * @param environment of the server's processes.
 */
export const openServer = async (
  stage: Stage,
  name: string,
  environment: NodeJS.ProcessEnv = process.env,
) => {
  const bin = await postgresPrograms(stage);
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const home = join(stage.folder, `server-${name}`);
  const [backup, archive] = [join(home, 'backup'), join(home, 'archive')];
  const password = randomBytes(18).toString('base64url');
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
  const own = (path: string) => owner && chownSync(path, owner.uid, owner.gid);

  mkdirSync(archive, { recursive: true });
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o600 });
  for (const path of [home, archive, passwordFile]) own(path);
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin'];
  const builtin = ['--builtin-locale=C.UTF-8', '--wal-segsize=1', '--no-instructions'];
  await stage.command(
    join(bin, 'initdb'),
    ['-D', state.data, '-U', 'postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`].concat(
      locale,
      builtin,
    ),
    { owner, shown: `initdb of ${name}` },
  );

  const settings = (): Record<string, string | number> => ({
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 300,
    shared_buffers: '64MB',
    jit: 'off',
    archive_mode: 'on',
    archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
    archive_timeout: '5s',
  });
  const start = async (more: Record<string, string> = {}): Promise<void> => {
    const flags = Object.entries({ ...settings(), ...more });
    const server = await guards.run(`postgres-${name}`, {
      command: join(bin, 'postgres'),
      args: ['-D', state.data, ...flags.flatMap(([key, value]) => ['-c', `${key}=${value}`])],
      signal: 'INT',
      graceS: 20,
      env: environment,
      owner,
    });
    state.running = server;
    state.hasEnded = false;
    server.exited.then(() => {
      if (state.running === server) state.hasEnded = true;
    });
    const ended = server.exited.then((code) => {
      throw new Error(`the server ${name} ended with ${code}: ${server.output().slice(-2000)}`);
    });
    const ready = until(() => acceptsWrites(url), {
      deadlineMs: startMaxMs,
      what: `server ${name}`,
    });
    await Promise.race([ready, ended]);
  };
  await start();
  const now = () =>
    asSuperuser(url, 'postgres', async (client) => {
      const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
      return rows[0]!.now;
    });

  return {
    name,
    /** URL of the superuser. */
    url,
    port,
    bin,
    env,
    /** The server's time, as an operator writes it down. */
    now,
    /** The number of the server's timeline: each promotion after a restore begins another one. */
    timeline: () =>
      asSuperuser(url, 'postgres', async (client) => {
        const text = 'select left(pg_walfile_name(pg_current_wal_lsn()), 8) as hex';
        const { rows } = await client.query<{ hex: string }>(text);
        return `${Number.parseInt(rows[0]!.hex, 16)}`;
      }),
    /** Ends the server as a failing machine does. */
    kill: async (): Promise<void> => {
      stage.note(`kill -KILL of the server of ${name}`);
      process.kill(state.running!.pid, 'SIGKILL');
      await state.running!.exited;
    },
    hasEnded: () => state.hasEnded,
    /** Starts the server on its data, as a supervisor does where it has ended. */
    startAgain: (): Promise<void> => {
      stage.note(`start of the server of ${name}`);
      return start();
    },
    backup: async (): Promise<void> => {
      const from = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres'];
      const how = ['-X', 'stream', '-c', 'fast'];
      await stage.command(join(bin, 'pg_basebackup'), [...from, ...how, '-D', backup], {
        env,
        owner,
        shown: `pg_basebackup -h HOST -p ${port} ${how.join(' ')} -D backup   # of ${name}`,
      });
    },
    /**
     * Makes a new data folder of the base backup, the archive and the WAL that dead servers did not
     * archive, and starts the server on it, at the same address.
     */
    restore: async ({ time, timeline = 'latest' }: RestoreTarget = {}): Promise<void> => {
      state.dead.push(state.data);
      state.data = join(home, `restored-${state.dead.length}`);
      cpSync(backup, state.data, { recursive: true });
      chmodSync(state.data, 0o700);
      for (const dead of state.dead) keepUnarchived(join(dead, 'pg_wal'), archive, state.data);
      writeFileSync(join(state.data, 'recovery.signal'), '');
      if (owner)
        await stage.command('chown', ['-R', `${owner.uid}:${owner.gid}`, state.data], {
          shown: `chown -R POSTGRES restored-${state.dead.length}`,
        });
      const recovery = {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_timeline: timeline,
        ...(time !== undefined && { recovery_target_time: time }),
        recovery_target_action: 'promote',
        hot_standby: 'off', // nobody reads a half-restored database
      };
      for (const [key, value] of Object.entries(recovery))
        stage.note(`  ${key} = '${value.replaceAll(stage.folder, '…')}'`);
      await start(recovery);
    },
  };
};

export type Server = Awaited<ReturnType<typeof openServer>>;

const acceptsWrites = (url: string): Promise<boolean> =>
  asSuperuser(url, 'postgres', async (client) => {
    const { rows } = await client.query<{ off: boolean }>('select not pg_is_in_recovery() as off');
    return rows[0]!.off;
  });

/** Copies WAL that is not in the archive. */
const keepUnarchived = (wal: string, archive: string, data: string): void => {
  for (const file of readdirSync(wal, { withFileTypes: true }))
    if (file.isFile() && !existsSync(join(archive, file.name)))
      cpSync(join(wal, file.name), join(data, 'pg_wal', file.name));
};
