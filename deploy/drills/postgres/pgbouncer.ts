import assert from 'node:assert/strict';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { signalProcess } from '../../../e2e/kill.ts';
import { openLoaded } from '../bed/loaded.ts';
import { openStack } from '../bed/stack.ts';
import type { Bed, Drill } from '../drill.ts';
import { postgresOwner as owner } from './programs.ts';
import { openServer, type Server } from './server.ts';

const refused = 'two connections share a session: a connection pooler runs in transaction mode';
const refusing = ['orders-0', 'custody-0', 'webhooks-0', 'courier-0', 'gateway-0', 'operators-0'];
/** Of docs/operators/failures.md#pgbouncer: what PgBouncer ignores, and the server sets instead. */
const ignored = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';
const settings = `statement_timeout = '5s', lock_timeout = '3s', timezone = 'UTC', jit = 'off',
  idle_in_transaction_session_timeout = '30s'`;

/** PgBouncer before every service, with the settings of the sessions at the server. */
export const pgbouncer: Drill = {
  name: 'pgbouncer',
  summary: 'transaction mode: no process starts, and says why; session mode: all works',
  run: async (bed) => {
    const server = await bed.step('PostgreSQL, which has the time limits', () =>
      openServer(bed, 'all'),
    );
    for (const one of settings.split(',')) await server.query(`alter system set ${one}`);
    await server.query('select pg_reload_conf()');
    await bed.step('transaction mode: no process starts, and each says why', async () => {
      const { url, stop } = await openPgbouncer(bed, server, 'transaction');
      const dir = join(bed.folder, 'transaction-mode');
      mkdirSync(dir);
      const env = { DATABASE_URL: url };
      await assert.rejects(openStack(bed, { dir, env, startMaxMs: 30_000 }));
      for (const name of refusing)
        assert.ok(readFileSync(join(dir, 'logs', `${name}.log`), 'utf8').includes(refused), name);
      bed.note(`  "${refused}": ${refusing.join(', ')}`);
      await stop();
    });
    // the local stack has one address for all roles; in production the owners connect directly
    for (const role of ['custody_owner', 'access_owner'])
      await server.query(`alter role ${role} set statement_timeout = '10s'`);
    const bouncer = await openPgbouncer(bed, server, 'session');
    const on = await openLoaded(bed, { env: { DATABASE_URL: bouncer.url } });
    await bed.step('PgBouncer is killed under load: nothing is lost', async () => {
      await bouncer.restart();
      await on.closed(5);
      await on.finish();
      await on.complete();
    });
  },
};

/** Starts PgBouncer before a server. */
const openPgbouncer = async (bed: Bed, server: Server, mode: 'transaction' | 'session') => {
  const guards = createGuards(bed.folder);
  bed.atEnd(guards.stopAll);
  const [port = 0] = await freePorts(1);
  const home = join(bed.folder, `pgbouncer-${mode}`);
  mkdirSync(home, { mode: 0o700 });
  const url = new URL(server.url);
  const [ini, users] = [join(home, 'pgbouncer.ini'), join(home, 'users.txt')];
  const login = `auth_type = scram-sha-256\nauth_file = ${users}\nauth_query = select usename, passwd from pg_shadow where usename = $1`;
  const sizes = 'max_client_conn = 400\ndefault_pool_size = 60';
  writeFileSync(users, `"postgres" "${url.password}"\n`);
  writeFileSync(
    ini,
    `[databases]\n* = host=127.0.0.1 port=${server.port} auth_user=postgres\n[pgbouncer]
listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\n${login}
pool_mode = ${mode}\nignore_startup_parameters = ${ignored}\n${sizes}\n`,
  );
  if (owner) for (const path of [home, ini, users]) chownSync(path, owner.uid, owner.gid);
  url.port = `${port}`;
  const start = async (): Promise<number> => {
    const command = { command: '/usr/sbin/pgbouncer', args: [ini], owner };
    const { pid } = await guards.run(`pgbouncer-${mode}`, { ...command, signal: 'INT', graceS: 5 });
    await until(() => asSuperuser(url.href, 'postgres', async () => true), { what: 'PgBouncer' });
    return pid;
  };
  let pid = await start();
  const restart = async (): Promise<void> => {
    bed.note('  kill -KILL of PgBouncer, and its start');
    signalProcess(pid, 'SIGKILL');
    pid = await start();
  };
  /** `stop` ends its sessions at the server, too, with the locks that clients have left there. */
  return { url: url.href, stop: guards.stopAll, restart };
};
