import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGuards, freePorts } from '@pto/stores';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { signalProcess } from '../../../e2e/kill.ts';
import { needProgram } from '../stage/programs.ts';
import type { Stage } from '../stage/rehearsal.ts';
import { postgresOwner as owner } from './programs.ts';
import type { Server } from './server.ts';

/** PostgreSQL's startup parameters that the services send, which PgBouncer does not pass on. */
const ignored = 'options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout';

/**
 * Starts PgBouncer before a server.
 * @returns the superuser's URL by way of PgBouncer.
 */
export const openPgbouncer = async (
  stage: Stage,
  server: Server,
  mode: 'transaction' | 'session',
) => {
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const [port = 0] = await freePorts(1);
  const home = join(stage.folder, `pgbouncer-${mode}`);
  mkdirSync(home, { mode: 0o700 });
  const { password } = new URL(server.url);
  const files = {
    'pgbouncer.ini': `[databases]
* = host=127.0.0.1 port=${server.port} auth_user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${home}/users.txt
auth_query = select usename, passwd from pg_shadow where usename = $1
pool_mode = ${mode}
ignore_startup_parameters = ${ignored}
max_client_conn = 400
default_pool_size = 60
`,
    'users.txt': `"postgres" "${password}"\n`,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(home, name), text, { mode: 0o600 });
  if (owner)
    for (const name of ['', ...Object.keys(files)])
      chownSync(join(home, name), owner.uid, owner.gid);
  const url = new URL(server.url);
  url.port = `${port}`;
  const start = async (): Promise<number> => {
    const { pid } = await guards.run(`pgbouncer-${mode}`, {
      ...{ command: needProgram('pgbouncer'), args: [join(home, 'pgbouncer.ini')] },
      ...{ signal: 'INT', graceS: 5, owner },
    });
    await until(() => asSuperuser(url.href, 'postgres', async () => true), { what: 'PgBouncer' });
    return pid;
  };
  let pid = await start();
  return {
    url: url.href,
    /** Ends PgBouncer and its sessions at the server, with the locks that clients have left there. */
    stop: guards.stopAll,
    restart: async (): Promise<void> => {
      stage.note('  kill -KILL of PgBouncer, and its start');
      signalProcess(pid, 'SIGKILL');
      pid = await start();
    },
  };
};
