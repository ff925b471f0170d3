import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import { allReceived, requireSound } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { openPgbouncer } from './pgbouncer-process.ts';
import { openServer } from './server.ts';

const refused = 'two connections share a session: a connection pooler runs in transaction mode';
const refusing = ['orders-0', 'custody-0', 'webhooks-0', 'courier-0', 'gateway-0', 'operators-0'];

/** PgBouncer before every service, with the settings of the sessions at the server. */
export const pgbouncer: Rehearsal = {
  name: 'pgbouncer',
  summary: 'transaction mode: no process starts, and says why; session mode: all works',
  run: async (stage) => {
    const server = await stage.step(
      'PostgreSQL, which has the time limits of the sessions',
      async () => {
        const opened = await openServer(stage, 'all');
        await asSuperuser(opened.url, 'postgres', async (client) => {
          const settings = {
            statement_timeout: '5s',
            lock_timeout: '3s',
            idle_in_transaction_session_timeout: '30s',
            timezone: 'UTC',
            jit: 'off',
          };
          for (const [name, value] of Object.entries(settings)) {
            await client.query(`alter system set ${name} = '${value}'`);
            stage.note(`  alter system set ${name} = '${value}'`);
          }
          await client.query('select pg_reload_conf()');
        });
        return opened;
      },
    );
    await stage.step('transaction mode: no process starts, and each says why', async () => {
      const { url, stop } = await openPgbouncer(stage, server, 'transaction');
      const dir = join(stage.folder, 'transaction-mode');
      mkdirSync(dir);
      const logs = join(dir, 'logs');
      const starting = openStack(stage, { dir, env: { DATABASE_URL: url }, startMaxMs: 30_000 });
      const ended = starting.then(
        () => assert.fail('the services start behind a pooler in transaction mode'),
        () => undefined,
      );
      const saying = () =>
        refusing.filter((name) =>
          readdirSync(logs).some(
            (file) =>
              file === `${name}.log` && readFileSync(join(logs, file), 'utf8').includes(refused),
          ),
        );
      await ended;
      stage.note(`  "${refused}": ${saying().join(', ')}`);
      assert.deepEqual(saying(), refusing);
      await stop();
    });
    // the local stack has one address for all roles; in production the owners connect directly
    await asSuperuser(server.url, 'postgres', async (client) => {
      for (const role of ['custody_owner', 'access_owner'])
        await client.query(`alter role ${role} set statement_timeout = '10s'`);
    });
    const bouncer = await openPgbouncer(stage, server, 'session');
    const stack = await stage.step('session mode: the services', () =>
      openStack(stage, { env: { DATABASE_URL: bouncer.url } }),
    );
    await stage.step('PgBouncer is killed under load: nothing is lost', async () => {
      const { receiver, partners } = await underLoad(stage, stack);
      await closedIn(partners, 5);
      await bouncer.restart();
      await closedIn(partners, 5);
      await partners.finish();
      await allReceived(
        receiver,
        partners.placed.map(({ id }) => id),
      );
      await requireSound(operatorOf(stage, stack), receiver);
    });
  },
};
