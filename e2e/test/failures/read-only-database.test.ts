/**
 * The database of a service accepts no writes for a while, as a demoted primary does: writers get
 * 503 with `Retry-After`, health says so, and all is well within 2 s of its end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Failure } from '@pto/errors';
import { until } from '@pto/testing';
import { asSuperuser, type DatabaseName } from '../../as-superuser.ts';
import { type Mesh, startMesh } from '../../mesh.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';

const readOnlyMs = 3000;
const wholeWithinMs = 2000;
const writers = 4;

let mesh: Mesh;
let receiver: Receiver;
let endpointId = '';
beforeAll(async () => {
  mesh = await startMesh({ env: { GATEWAY_WRITES_PER_MINUTE: '1000000' } });
  receiver = await startReceiver(mesh);
  endpointId = (await receiver.subscribe()).body.id;
}, 100_000);
afterAll(async () => {
  await receiver?.stop();
  await mesh?.stop();
  mesh?.forget();
});

interface Outcome {
  readonly status: number;
  readonly retryAfter: boolean;
  readonly at: number;
}

const created: string[] = [];
const createOrder = async () => {
  const answer = await partner(mesh).post('/orders', orderBody());
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
  webhooks: async () => seen(await partner(mesh).call('PATCH', `/webhooks/${endpointId}`, {})),
  custody: async () => seen(await createOrder()),
  access: async () => {
    const organizationId = mesh.file().organizations[0]!.id;
    try {
      await operatorClients(mesh).access.issueKey({ organizationId, scopes: ['orders:read'] });
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
  return asSuperuser(mesh.file().stores.postgres.superuser, database, async (client) => {
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
        mesh
          .file()
          .services.filter(({ name }) => names.includes(name))
          .map(async ({ healthUrl }) => (await fetch(healthUrl)).status),
      );
    const load = startWriters(writes[database]);
    stopLoad = load.stop;
    await until(() => load.outcomes.length > 20, { what: 'load' });
    await setReadOnly(database, true);
    const begun = performance.now();
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
    const { get } = partner(mesh);
    await until(async () => (await get(`/orders/${id}/events`)).body.length > 0, {
      what: 'events',
    });
    const arrivedAfterMs = performance.now() - reset;
    await sleep(wholeWithinMs);
    await load.stop();
    const failed = load.outcomes.filter(({ status }) => status >= 400);
    const share = (of: number) => {
      const within = load.outcomes.filter(({ at }) => at > begun && at < reset);
      return Math.round(
        (100 * within.filter(({ status }) => status === of).length) / within.length,
      );
    };
    const lastFailureMs = Math.max(0, ...failed.map(({ at }) => at - reset));
    process.stderr.write(
      `${database}: 503 ${share(503)} %, 500 ${share(500)} %, last failure ${Math.round(lastFailureMs)} ms, ready ${Math.round(readyAfterMs)} ms, arrived ${Math.round(arrivedAfterMs)} ms, health ${during}\n`,
    );
    expect(during).toEqual(during.map(() => 503));
    expect(failed.filter(({ status, retryAfter }) => status !== 503 || !retryAfter)).toEqual([]);
    expect(lastFailureMs).toBeLessThan(wholeWithinMs);
    expect(readyAfterMs).toBeLessThan(wholeWithinMs);
    expect(arrivedAfterMs).toBeLessThan(wholeWithinMs);
  },
);

test('no event was parked, and every order has its history and its webhook', async () => {
  const { deadLetters } = operatorClients(mesh);
  for (const client of Object.values(deadLetters))
    expect((await client.listDeadLetters({})).deadLetters).toEqual([]);
  const missing = () => {
    const arrived = new Set(receiver.received.map(({ body }) => body.data.order.id));
    return created.filter((id) => !arrived.has(id));
  };
  await until(() => missing().length === 0, { what: 'every webhook', deadlineMs: 30_000 });
});
