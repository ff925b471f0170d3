import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { pendingCount, underTest } from '../under-test.ts';
import { eventsOf } from '../webhooks-service.ts';

const under = underTest({ WEBHOOKS_ATTEMPT_TIMEOUT: '1s' }, 2);

test('while the database drops connections: every event arrives, twice only under one id', async () => {
  const { id, organizationId, receiver } = await under.endpoint();
  const { superuser, database } = under.stores;
  const count = 120;
  let done = false;
  const breaking = (async () => {
    // bounded: on a loaded machine nothing can be done between two of them
    for (let n = 0; n < 60 && !done; n++) {
      await superuser.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = $1 and usename like '%_service'`,
        [database.name],
      );
      await sleep(150);
    }
  })();
  for (let n = 0; n < count; n += 10)
    await under.stores.publish(
      Array.from({ length: 10 }, () => eventsOf(organizationId, 1)).flat(),
    );
  await until(() => new Set(receiver.received.map((post) => post.id)).size >= count, {
    what: 'all events',
    deadlineMs: 80_000,
  });
  done = true;
  await breaking;
  await until(async () => (await pendingCount(under.stores)) === 0, {
    what: 'all to be recorded',
    deadlineMs: 40_000,
  });
  const orders = receiver.received.map((post) => JSON.parse(post.body).data.order.id);
  expect(new Set(orders).size).toBe(count);
  expect(new Set(receiver.received.map((post) => post.id)).size).toBe(count);
  const [{ n } = { n: 0 }] = await superuser.query<{ n: number }>(
    `select count(*)::int as n from deliveries d join attempts a on a.delivery_id = d.id
     where d.endpoint_id = $1 and a.status_code = 204`,
    [id],
  );
  expect(n).toBe(count);
}, 150_000);
