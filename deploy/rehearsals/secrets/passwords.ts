import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import type { Scene } from './secrets-rotated.ts';

/** Roles of PostgreSQL with the services that use them; nothing runs as an owner. */
const roles: Readonly<Record<string, readonly string[]>> = {
  access_service: ['gateway'],
  access_operators: ['operators'],
  orders_service: ['orders'],
  custody_service: ['custody'],
  custody_reader: ['auditor'],
  webhooks_service: ['webhooks'],
  courier_service: ['courier'],
  ...Object.fromEntries(
    ['access', 'orders', 'custody', 'webhooks', 'courier'].map((name) => [`${name}_owner`, []]),
  ),
};

/** docs/operators/keys.md, "Passwords of the databases": role by role. */
export const rotateDatabasePasswords = async (scene: Scene): Promise<void> => {
  const { stage, stack, store, restart, moreClosed } = scene;
  for (const [role, services] of Object.entries(roles))
    await stage.step(`the password of ${role}`, async () => {
      const password = randomBytes(24).toString('base64url');
      store.putPassword(role, password);
      stage.note(`  psql: \\password ${role}`);
      await asSuperuser(stack, 'postgres', (client) =>
        client.query(`alter role ${role} password '${password}'`),
      );
      if (services.length > 0) await restart(...services);
    });
  await moreClosed(3);
};

/** docs/operators/keys.md, "The password of Redis". */
export const rotateRedisPassword = async (scene: Scene): Promise<void> => {
  const { stage, store, redis, restart, moreClosed } = scene;
  await stage.step('the password of Redis', async () => {
    const url = await redis.addPassword();
    store.put({ REDIS_URL: url });
    await restart('gateway', 'operators');
    await redis.removeOld(url);
    await moreClosed(3);
  });
};

/** docs/operators/keys.md, "Users of Kafka". */
export const rotateKafkaUser = async (scene: Scene): Promise<void> => {
  const { stage, store, kafka, restart, moreClosed } = scene;
  await stage.step('the user of Kafka', async () => {
    store.put(kafka.next);
    await restart('orders', 'custody', 'webhooks');
    await moreClosed(3);
  });
};

/** docs/operators/keys.md, "The auditor's key": the state stays. */
export const rotateAuditorKey = async (scene: Scene): Promise<void> => {
  const { stage, stack, store, restart } = scene;
  await stage.step("the key of the auditor's state", async () => {
    const stored = JSON.parse(readFileSync(join(stack.dir, 'secrets.json'), 'utf8'));
    const next = randomBytes(32).toString('base64');
    store.put({ CUSTODY_AUDITOR_STATE_KEY: `${next},${stored.auditorStateKey}` });
    await restart('auditor');
    store.put({ CUSTODY_AUDITOR_STATE_KEY: next });
    await restart('auditor');
  });
};
