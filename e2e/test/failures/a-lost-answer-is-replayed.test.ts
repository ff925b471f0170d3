import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { type Mesh, settled, startMesh } from '../../mesh.ts';
import { type Answer, orderBody, partner } from '../../partner.ts';

const atOnce = 40;
/** Answers that were lost after their order was committed: so many must have been seen. */
const lostMin = Number(process.env.LOST_MIN ?? 2);
const roundsMax = 30 * lostMin;
/** Mostly at once; a victim that had nothing under way is killed all the same. */
const committedWithinMs = 1000;

let mesh: Mesh;
let database: Client;
beforeAll(async () => {
  const plenty = {
    GATEWAY_READS_PER_MINUTE: '100000',
    GATEWAY_WRITES_PER_MINUTE: '100000',
    GATEWAY_REQUESTS_IN_FLIGHT: '1000',
  };
  mesh = await startMesh({ env: plenty });
  const { orders, superuser } = mesh.file().stores.postgres;
  const ordersAsSuperuser = new URL(superuser);
  ordersAsSuperuser.pathname = new URL(orders).pathname;
  database = new Client({ connectionString: ordersAsSuperuser.href });
  await database.connect();
  // a slow commit: a process killed meanwhile has created the order and not responded
  await database.query(`create function last_100_ms() returns trigger language plpgsql as $$
    begin perform pg_sleep(0.1); return null; end $$`);
  await database.query(`create constraint trigger last_100_ms after insert on orders
    deferrable initially deferred for each row execute function last_100_ms()`);
}, 100_000);
afterAll(async () => {
  await database?.end();
  await mesh?.stop();
  mesh?.forget();
});

const create = (key: string): Promise<Answer> =>
  partner(mesh).post('/orders', orderBody({ external_id: key }), { 'idempotency-key': key });

const signal = (name: string, signal: NodeJS.Signals): void => {
  for (const service of mesh.file().services)
    if (service.name === name) process.kill(service.pid, signal);
};

/** How many orders of a round are committed. */
const committed = async (round: string): Promise<number> => {
  const { rows } = await database.query<{ count: number }>(
    'select count(*)::int from orders where external_id like $1',
    [`${round}-%`],
  );
  return rows[0]!.count;
};

/** Stops the process in the middle of its requests, and kills it when it owes an answer. */
const killOwing = async (victim: string, round: string, answered: () => number): Promise<void> => {
  signal(victim, 'SIGSTOP');
  await until(async () => (await committed(round)) > answered(), {
    deadlineMs: committedWithinMs,
    what: 'an order without an answer',
  }).catch(() => null);
  signal(victim, 'SIGKILL');
};

/**
 * The answer that a partner gets who asks until he has one. 429 is none: forty commits of 100 ms in
 * three slots, and again after a kill, are more than orders lets one organization wait for.
 */
const insist = (key: string): Promise<Answer> =>
  until(
    async () => {
      const answer = await create(key);
      const isFinal =
        answer.status < 500 &&
        answer.status !== 429 &&
        answer.body?.error?.code !== 'IDEMPOTENCY_IN_PROGRESS';
      return isFinal ? answer : null;
    },
    { deadlineMs: 60_000, what: `an answer for ${key}` },
  );

test.each(['gateway', 'orders'])(
  'an order whose answer died with the %s is answered by the same key, and made once',
  async (victim) => {
    let lost = 0;
    for (let round = 0; lost < lostMin && round < roundsMax; round++) {
      const prefix = `${victim}-${round}`;
      const keys = Array.from({ length: atOnce }, (_, n) => `${prefix}-${n}`);
      const killedAfter = Math.ceil(Math.random() * 8);
      let [ended, made] = [0, 0];
      let killed: Promise<void> | undefined;
      const first = keys.map((key) =>
        create(key)
          .then((answer) => {
            if (answer.status === 201) made++;
            return answer;
          })
          .catch(() => null)
          .finally(() => {
            if (++ended === killedAfter) killed = killOwing(victim, prefix, () => made);
          }),
      );
      const answered = await Promise.all(first);
      await killed;
      const insisted = await Promise.all(keys.map(insist));
      for (const [n, answer] of insisted.entries()) {
        const before = answered[n]?.status === 201 ? answered[n] : null;
        const replayed = answer.headers.get('idempotency-replayed') === 'true';
        expect({ key: keys[n], status: answer.status }).toEqual({ key: keys[n], status: 201 });
        if (before) expect([replayed, answer.text]).toEqual([true, before.text]);
        else if (replayed) lost++;
      }
      const listed = await Promise.all(
        keys.map((key) => partner(mesh).get(`/orders?external_id=${key}`)),
      );
      expect(listed.map(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual(
        insisted.map(({ body }) => [body.id]),
      );
      await settled(mesh);
    }
    expect(lost).toBeGreaterThanOrEqual(lostMin);
  },
  240_000,
);
