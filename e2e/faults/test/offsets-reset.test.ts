/**
 * | Fault | Expected |
 * |---|---|
 * | A consumer group's offsets are reset to the earliest message | every message is read again, none has a second effect, nothing is parked |
 * | A consumer group's offsets are reset to the latest message while messages wait | the messages are handled all the same: the service's database knows what it has handled |
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOrder, walkOrder } from '../../load.ts';
import { type Mesh, operator } from '../../mesh.ts';
import { partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { type Receiver, startReceiver } from '../../receiver.ts';
import { groups, reset, whileStopped } from '../kafka.ts';
import { asSuperuser, drained, metric, startStack } from '../stack.ts';

let mesh: Mesh;
let receiver: Receiver;
const ids: string[] = [];
beforeAll(async () => {
  mesh = await startStack();
  receiver = await startReceiver(mesh);
  const { body } = await partner(mesh).post('/webhooks', { url: receiver.url });
  receiver.state.secret = body.secret;
});
afterAll(async () => {
  await receiver?.stop();
  await mesh?.stop();
  mesh?.forget();
});

const live = async (name: string): Promise<void> => {
  const id = await createOrder(mesh, name);
  ids.push(id);
  await walkOrder(mesh, id);
};

const deliveries = (): Promise<number> =>
  asSuperuser(mesh, 'webhooks', async (client) => {
    const { rows } = await client.query('select count(*)::int as count from deliveries');
    return rows[0].count;
  });

const expectNothingParked = async (): Promise<void> => {
  for (const { service } of groups) expect(await metric(mesh, service, 'bus_dead_letters')).toBe(0);
  expect(await operator(mesh, 'dlq', 'list')).toMatchObject({ code: 0, json: [] });
};

test.each(groups)(
  'after a reset of $group to the earliest offset nothing is doubled',
  async ({ service, group, topic }) => {
    await live(`earliest-${service}`);
    await drained(mesh);
    await whileStopped(mesh, service, async (admin) => {
      await reset(admin, { group, topic }, 'low');
    });
    await live(`earliest-${service}-after`);
    await drained(mesh);
    const again = await metric(mesh, service, 'bus_messages_total', 'outcome="duplicate"');
    expect(again).toBeGreaterThanOrEqual(9);
    await expectNothingParked();
    expect(await metric(mesh, service, 'bus_messages_lost_total')).toBe(0);
  },
);

test.each(groups)(
  'after a reset of $group to the latest offset no waiting message is left out',
  async ({ service, group, topic }) => {
    await live(`latest-${service}`);
    await drained(mesh);
    await whileStopped(mesh, service, async (admin) => {
      if (service !== 'orders') await live(`latest-${service}-waiting`);
      await reset(admin, { group, topic }, 'high');
    });
    await live(`latest-${service}-after`);
    await drained(mesh);
    await expectNothingParked();
  },
);

test('every order is complete, and every event was delivered once', async () => {
  await expectWholeLives(mesh, ids);
  await expectDelivered(receiver, ids);
  expect(await deliveries()).toBe(ids.length * 9);
  await asSuperuser(mesh, 'orders', async (client) => {
    const { rows } = await client.query('select count(*)::int as count from unreported_events');
    expect(rows).toEqual([{ count: 0 }]);
  });
});
