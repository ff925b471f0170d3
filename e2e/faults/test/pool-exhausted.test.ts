/**
 * | Fault | Expected |
 * |---|---|
 * | Other sessions hold every connection that a service's role may open | callers wait at most 5 s, then 503 with `Retry-After`; other services answer |
 * | Every connection of a service's own pool waits for a lock | the same: at most the lock timeout plus 3 s |
 * | The connections are free again | the service goes on without a restart, and no event is missing |
 */

import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import pg from 'pg';
import { asSuperuser, type DatabaseName } from '../../as-superuser.ts';
import { settled } from '../../local-stack.ts';
import { type Answer, orderBody, partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { stackUnderTest } from '../stack.ts';

const waitMaxMs = 5000;
const heldMax = 12;

const stack = stackUnderTest({ env: { WEBHOOKS_RETRY_WAITS: '500ms,1s,2s,5s,10s' } });

/** Takes all connections that the role may have, from the service too. @returns what frees them. */
const takeAll = async (database: DatabaseName): Promise<() => Promise<void>> => {
  const role = `${database}_service`;
  const held: pg.Client[] = [];
  const open = async (): Promise<boolean> => {
    const client = new pg.Client({ connectionString: stack.mesh.file().stores.postgres[database] });
    client.on('error', () => {});
    const opened = await client.connect().then(
      () => true,
      () => false,
    );
    if (opened) held.push(client);
    return opened;
  };
  await asSuperuser(stack.mesh, 'postgres', async (admin) => {
    await admin.query(`alter role ${role} connection limit ${heldMax}`);
    await until(
      async () => {
        await admin.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where usename = $1 and pid <> all ($2::int[])`,
          [role, held.map((client) => (client as unknown as { processID: number }).processID)],
        );
        while (held.length < heldMax && (await open()));
        return held.length === heldMax;
      },
      { what: `all connections of ${role}` },
    );
  });
  return async () => {
    await Promise.all(held.map((client) => client.end()));
    await asSuperuser(stack.mesh, 'postgres', (admin) =>
      admin.query(`alter role ${role} connection limit -1`),
    );
  };
};

const timed = async (call: () => Promise<Answer>): Promise<Answer & { ms: number }> => {
  const begun = performance.now();
  return { ...(await call()), ms: performance.now() - begun };
};

const expectUnavailable = (answers: readonly (Answer & { ms: number })[]): void => {
  for (const { status, headers, ms } of answers) {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(ms).toBeLessThan(waitMaxMs);
  }
};

const pathOf = (id: string): Readonly<Record<DatabaseName, string>> => ({
  access: '/ping',
  orders: `/orders/${id}`,
  custody: `/orders/${id}/events`,
  webhooks: '/webhooks',
});

test.each<DatabaseName>(['orders', 'custody', 'webhooks', 'access'])(
  'while other sessions hold all connections to %s callers get 503 in time, and it recovers',
  async (database) => {
    const id = await stack.live(`before-${database}`);
    const free = await takeAll(database);
    try {
      const { get } = partner(stack.mesh);
      const path = pathOf(id)[database];
      // the gateway knows a key for up to 5 s
      await until(async () => (await get(path)).status === 503, { what: '503' });
      expectUnavailable(
        await Promise.all(Array.from({ length: 30 }, () => timed(() => get(path)))),
      );
      if (database === 'orders') {
        const created = await timed(() => partner(stack.mesh).post('/orders', orderBody()));
        expectUnavailable([created]);
      }
      if (database !== 'access') expect((await get('/ping')).status).toBe(200);
      if (database === 'custody' || database === 'webhooks') await stack.live(`during-${database}`);
    } finally {
      await free();
    }
    await settled(stack.mesh);
    await stack.live(`after-${database}`);
  },
);

test('while a lock holds every connection of the pool callers wait in bounds, and get 503', async () => {
  const { get } = partner(stack.mesh);
  const pids = stack.mesh.file().services.map(({ pid }) => pid);
  await asSuperuser(stack.mesh, 'orders', async (admin) => {
    await admin.query('begin');
    await admin.query('lock table orders in access exclusive mode');
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => timed(() => get(`/orders/${stack.ids[0]}`))),
    );
    const most = Math.max(...answers.map(({ ms }) => ms));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(answers.every(({ headers }) => Number(headers.get('retry-after')) >= 1)).toBe(true);
    expect(most).toBeLessThan(10_000);
    await admin.query('rollback');
  });
  await until(async () => (await get(`/orders/${stack.ids[0]}`)).status === 200, {
    what: 'an answer',
  });
  expect(stack.mesh.file().services.map(({ pid }) => pid)).toEqual(pids);
});

test('nothing that was acknowledged is missing, and no process was restarted', async () => {
  await expectWholeLives(stack.mesh, stack.ids);
  await expectDelivered(stack.receiver, stack.ids);
});
