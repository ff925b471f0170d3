/**
 * What a client sees while a store is unavailable, on one stack, the mildest failure first. A
 * database that accepts no writes for a while, as a demoted primary does: writers get 503 with
 * `Retry-After`, health says so, and all is well within 5 s of its end. Then Kafka and PostgreSQL
 * are killed; what happens without Redis is in two-replicas-behave-as-one.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { stores, until } from '@pto/testing';
import { asSuperuser, type DatabaseName } from '../../as-superuser.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';

export const storeOutages = (stack: LocalStack): void => {
  const readOnlyMs = 1500;
  const wholeWithinMs = 5000;
  /** Writers go on for this time after the last check. */
  const watchedMs = 500;
  const writers = 4;

  let receiver: Receiver;
  let endpointId = '';
  beforeAll(async () => {
    receiver = await startReceiver(stack);
    endpointId = (await receiver.subscribe()).body.id;
  });
  afterAll(() => receiver?.stop());

  interface Outcome {
    readonly status: number;
    readonly retryAfter: boolean;
    readonly at: number;
  }

  const created: string[] = [];
  const createOrder = async () => {
    const answer = await partner(stack).post('/orders', orderBody());
    if (answer.status === 201) created.push(answer.body.id);
    return answer;
  };
  const seen = ({ status, headers }: { status: number; headers: Headers }) => ({
    status,
    retryAfter: headers.has('retry-after'),
  });

  /** A write to each database. */
  const writes: Readonly<Record<DatabaseName, () => Promise<Omit<Outcome, 'at'>>>> = {
    orders: async () => seen(await createOrder()),
    webhooks: async () => seen(await partner(stack).call('PATCH', `/webhooks/${endpointId}`, {})),
    custody: async () => seen(await createOrder()),
    access: async () => {
      const organizationId = stack.file().organizations[0]!.id;
      try {
        await operatorClients(stack).access.issueKey({ organizationId, scopes: ['orders:read'] });
        return { status: 200, retryAfter: false };
      } catch (error) {
        const { kind, retryAfterSeconds } = error as Failure;
        return {
          status: kind === 'SERVICE_UNAVAILABLE' ? 503 : 500,
          retryAfter: retryAfterSeconds !== undefined,
        };
      }
    },
  };

  let stopLoad: (() => Promise<void>) | undefined;
  afterEach(() => stopLoad?.());

  const startWriters = (write: () => Promise<Omit<Outcome, 'at'>>) => {
    const outcomes: Outcome[] = [];
    let stopped = false;
    const lanes = Array.from({ length: writers }, async () => {
      while (!stopped) {
        outcomes.push({ ...(await write()), at: performance.now() });
        await sleep(10);
      }
    });
    return {
      outcomes,
      stop: async () => {
        stopped = true;
        await Promise.all(lanes);
      },
    };
  };

  /** Lets the roles of a database write, or not, and ends their sessions: a primary is demoted. */
  const setReadOnly = (database: DatabaseName, isReadOnly: boolean): Promise<unknown> => {
    const change = isReadOnly
      ? 'set default_transaction_read_only = on'
      : 'reset default_transaction_read_only';
    return asSuperuser(stack, database, async (client) => {
      roles ??= (
        await client.query<{ usename: string }>(
          `select distinct usename from pg_stat_activity
         where datname = current_database() and usename <> current_user`,
        )
      ).rows.map(({ usename }) => usename);
      for (const role of roles) await client.query(`alter role ${role} ${change}`);
      if (isReadOnly)
        await client.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where usename = any($1)',
          [roles],
        );
      else roles = undefined;
    });
  };
  let roles: string[] | undefined;

  const cases: [DatabaseName, string[]][] = [
    ['orders', ['orders']],
    ['webhooks', ['webhooks']],
    ['custody', ['custody']],
    ['access', ['operators']],
  ];

  test.each(cases)(
    'writers to %s get 503 while its database is read-only',
    async (database, names) => {
      const health = () =>
        Promise.all(
          stack
            .file()
            .services.filter(({ name }) => names.includes(name))
            .map(async ({ healthUrl }) => (await fetch(healthUrl)).status),
        );
      const load = startWriters(writes[database]);
      stopLoad = load.stop;
      await until(() => load.outcomes.length > 20, { what: 'load' });
      await setReadOnly(database, true);
      await sleep(readOnlyMs);
      const during = await health();
      await setReadOnly(database, false);
      const reset = performance.now();
      const isReady = async () => (await health()).every((status) => status === 200);
      await until(isReady, { what: 'readiness' });
      const readyAfterMs = performance.now() - reset;
      // every order has reached custody and the receiver again
      const { id } = (await createOrder()).body;
      const arrived = () => receiver.received.some(({ body }) => body.data.order.id === id);
      await until(arrived, { what: 'a webhook of a new order', deadlineMs: 60_000 });
      const { get } = partner(stack);
      await until(async () => (await get(`/orders/${id}/events`)).body.length > 0, {
        what: 'events',
      });
      const arrivedAfterMs = performance.now() - reset;
      await sleep(watchedMs);
      await load.stop();
      const failed = load.outcomes.filter(({ status }) => status >= 400);
      const lastFailureMs = Math.max(0, ...failed.map(({ at }) => at - reset));
      expect(during).toEqual(during.map(() => 503));
      expect(failed.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
      expect(lastFailureMs).toBeLessThan(wholeWithinMs);
      expect(readyAfterMs).toBeLessThan(wholeWithinMs);
      expect(arrivedAfterMs).toBeLessThan(wholeWithinMs);
    },
  );

  test('no event was parked, and every order has its history and its webhook', async () => {
    const { deadLetters } = operatorClients(stack);
    for (const client of Object.values(deadLetters))
      expect((await client.listDeadLetters({})).deadLetters).toEqual([]);
    const missing = () => {
      const arrived = new Set(receiver.received.map(({ body }) => body.data.order.id));
      return created.filter((id) => !arrived.has(id));
    };
    await until(() => missing().length === 0, { what: 'every webhook' });
  });

  const kill = (name: 'postgres' | 'kafka'): void => {
    process.kill(stack.file().stores.pids[name]!, 'SIGKILL');
  };

  const withKafka = stores().kafka ? test : test.skip;

  withKafka('without Kafka orders are taken, and their events wait in the outbox', async () => {
    kill('kafka');
    await until(() => stack.output().includes('kafka died'), { what: 'word of the death' });
    const created = await partner(stack).post('/orders', orderBody());
    expect(created.status).toBe(201);
    const { metricsUrl } = stack.file().services.find(({ name }) => name === 'orders')!;
    await until(
      async () => /^outbox_unsent\{[^}]*\} 1$/m.test(await (await fetch(metricsUrl)).text()),
      { what: 'the event in the outbox' },
    );
  });

  withKafka('without Kafka every process stays, stays ready, and answers', async () => {
    const { services } = stack.file();
    const falls = (name: string) => stack.output().split(`${name}-0: warn Crash`).length - 1;
    // a consumer that was started again and found no broker: from here on it is only more of this
    await until(() => ['orders', 'custody', 'webhooks'].every((name) => falls(name) >= 2), {
      deadlineMs: 45_000,
      what: 'each consumer to have fallen twice',
    });
    for (const { name, healthUrl, metricsUrl } of services) {
      expect([name, (await fetch(healthUrl)).status]).toEqual([name, 200]);
      // what tells of the bus instead, as the runbooks say
      expect(await (await fetch(metricsUrl)).text()).not.toMatch(/^bus_consumer_lag\{/m);
    }
    expect(stack.file().services).toEqual(services);
    const { get } = partner(stack);
    const { body: page } = await get('/orders');
    const answers = [`/orders/${page.data[0].id}/events`, '/webhooks'].map((path) => get(path));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200]);
  });

  test('without Postgres the answer is 503 with Retry-After, and liveness stays', async () => {
    kill('postgres');
    await until(() => stack.output().includes('postgres died'), { what: 'word of the death' });
    const { get, post } = partner(stack);
    const answers = [await get('/orders'), await post('/orders', orderBody())];
    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.body.error.code).toBe('SERVICE_UNAVAILABLE');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    const healthOf = (name: string) =>
      stack.file().services.find((s) => s.name === name)!.healthUrl;
    const healthUrl = healthOf('orders');
    expect((await fetch(healthUrl)).status).toBe(503);
    // or nobody would be left to tell partners
    expect((await fetch(healthOf('gateway'))).status).toBe(200);
    expect((await fetch(healthUrl.replace('readyz', 'livez'))).status).toBe(200);
  }, 60_000);
};
