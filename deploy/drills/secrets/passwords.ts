import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { openLoaded } from '../bed/loaded.ts';
import { openRedis } from '../bed/redis.ts';
import { openSecretStore } from '../bed/secret-store.ts';
import type { Drill } from '../drill.ts';

const newPassword = (): string => randomBytes(18).toString('base64url');

/** Roles of PostgreSQL with the services that use them; nothing runs as an owner. */
const roles: Readonly<Record<string, readonly string[]>> = {
  access_service: ['gateway'],
  access_operators: ['operators'],
  orders_service: ['orders'],
  custody_service: ['custody'],
  custody_reader: ['auditor'],
  webhooks_service: ['webhooks'],
  courier_service: ['courier'],
  orders_owner: [],
};

/** docs/operators/keys.md: the passwords of Redis and the databases, by their steps. */
export const passwords: Drill = {
  name: 'passwords',
  summary: 'each password of a store replaced under load, without a failed request',
  run: async (bed) => {
    const store = openSecretStore(bed);
    const old = newPassword();
    const redis = await openRedis(bed, old);
    const urlOf = (password: string) => `redis://:${password}@127.0.0.1:${redis.port}`;
    const on = await openLoaded(bed, {
      args: store.args,
      env: { ...store.env, REDIS_URL: urlOf(old) },
      ingress: true,
    });
    const step = (what: string, work: () => Promise<void>) =>
      bed.step(what, async () => {
        await work();
        await on.closed(3);
        on.unnoticed();
      });

    await step('the password of Redis', async () => {
      const next = newPassword();
      await redis.ask(`AUTH ${old}\r\nACL SETUSER default >${next}`);
      store.put({ REDIS_URL: urlOf(next) });
      await store.restart(on.stack, 'gateway', 'operators');
      await redis.ask(`AUTH ${next}\r\nACL SETUSER default <${old}`);
      const refused = await redis.ask(`AUTH ${next}\r\nACL LOG`);
      assert.equal(refused, '+OK\r\n*0\r\n+OK\r\n', 'no log-in was rejected');
    });
    for (const [role, services] of Object.entries(roles))
      await step(`the password of ${role}`, async () => {
        const password = newPassword();
        store.putPassword(role, password);
        bed.note(`  psql: \\password ${role}`);
        await asSuperuser(on.stack, 'postgres', (client) =>
          client.query(`alter role ${role} password '${password}'`),
        );
        if (services.length > 0) await store.restart(on.stack, ...services);
      });
    await bed.step('nothing is lost, nothing came twice', async () => {
      await on.finish();
      await on.complete();
    });
  },
};
