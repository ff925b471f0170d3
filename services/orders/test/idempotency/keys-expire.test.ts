import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { firstUuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { anOrder, bodyOf, keyed, startOrdersService } from '../orders-service.ts';

test('an expired key creates a new order, also with another body', async () => {
  const under = await startOrdersService({ environment: { ORDERS_IDEMPOTENCY_KEEP: '1500ms' } });
  const request = anOrder(keyed('k'));
  const first = bodyOf(await under.orders.createOrder(request));
  expect((await under.orders.createOrder(request)).replayed).toBe(true);
  const again = await until(
    async () => {
      const answer = await under.orders.createOrder({ ...request, ...keyed('k', 2) });
      return !answer.replayed && answer;
    },
    { what: 'the key to be free again' },
  );
  expect(bodyOf(again).id).not.toBe(first.id);
  const replay = await under.orders.createOrder({ ...request, ...keyed('k', 2) });
  expect([replay.replayed, Buffer.from(replay.body)]).toEqual([true, Buffer.from(again.body)]);
  await under.stop();
});

test('of fifty concurrent requests with an expired key one creates an order', async () => {
  const under = await startOrdersService({ environment: { ORDERS_IDEMPOTENCY_KEEP: '1500ms' } });
  const request = anOrder(keyed('k'));
  const { id } = bodyOf(await under.orders.createOrder(request));
  await until(
    async () => {
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => under.orders.createOrder(request)),
      );
      const made = answers.filter(({ replayed }) => !replayed);
      const ids = new Set(answers.map((answer) => bodyOf(answer).id));
      // a round may stand astride the moment of expiry
      expect(made.length).toBe([...ids].filter((each) => each !== id).length);
      return made.length === 1;
    },
    { what: 'the key to be free again' },
  );
  await under.stop();
});

test('expired responses are dropped with the partition of their day', async () => {
  const under = await startOrdersService();
  const { orders, database } = under;
  await orders.createOrder(anOrder(keyed('today')));
  await under.stop();
  const owner = new Client({ connectionString: database.ownerUrl });
  await owner.connect();
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const partition = `idempotency_${day.replaceAll('-', '')}`;
  await owner.query(`create table ${partition} partition of idempotency
    for values from (first_uuidv7_of('${day}')) to (first_uuidv7_of(date '${day}' + 1))`);
  await owner.query(
    `insert into idempotency (id, organization_id, route, key, body_sha256, answer)
     values ($1, $2, '', '', '', '')`,
    [firstUuidv7(Date.parse(day) + 1000), randomUUID()],
  );
  const again = await startOrdersService({ database });
  await until(
    async () =>
      (await owner.query('select to_regclass($1) is null as gone', [partition])).rows[0].gone,
    { what: 'the old day to be dropped' },
  );
  const { rows } = await owner.query('select key from idempotency');
  expect(rows).toEqual([{ key: 'today' }]);
  await owner.end();
  await again.stop();
});

test('a clock that was wrong for one request makes no second order', async () => {
  const under = await startOrdersService();
  const clock = Date.now;
  const withClock = async <T>(aheadMs: number, work: () => Promise<T>): Promise<T> => {
    Date.now = () => clock() + aheadMs;
    try {
      return await work();
    } finally {
      Date.now = clock;
    }
  };
  try {
    const hourMs = 3_600_000;
    for (const [key, aheadMs] of [
      ['ahead', 2 * hourMs],
      ['behind', -30 * hourMs],
    ] as const) {
      const request = anOrder(keyed(key));
      const create = () => under.orders.createOrder(request);
      const first = await withClock(aheadMs, create);
      expect(first.replayed).toBe(false);
      const { id } = bodyOf(first);
      for (const answer of [await create(), await withClock(aheadMs, create), await create()])
        expect([answer.replayed, bodyOf(answer).id]).toEqual([true, id]);
    }
  } finally {
    await under.stop();
  }
});
