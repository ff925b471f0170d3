/**
 * | Fault | Expected |
 * |---|---|
 * | A consumer group's offsets are reset to the earliest message | every message is read again, none has a second effect, nothing is parked |
 * | A consumer group's offsets are reset to the latest message while messages wait | the messages are handled all the same: the service's database knows what it has handled |
 */

import { expect, test } from '@jest/globals';
import { asSuperuser } from '../../as-superuser.ts';
import { metric } from '../../metric.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { groups, reset, whileStopped } from '../kafka.ts';
import { drained, stackUnderTest } from '../stack.ts';

const stack = stackUnderTest();

const deliveries = (): Promise<number> =>
  asSuperuser(stack.mesh, 'webhooks', async (client) => {
    const { rows } = await client.query('select count(*)::int as count from deliveries');
    return rows[0].count;
  });

test.each(groups)(
  'after a reset of $group to the earliest offset nothing is doubled',
  async ({ service, group, topic }) => {
    await stack.live(`earliest-${service}`);
    await drained(stack.mesh);
    await whileStopped(stack.mesh, service, async (admin) => {
      await reset(admin, { group, topic }, 'low');
    });
    await stack.live(`earliest-${service}-after`);
    await drained(stack.mesh);
    const again = await metric(stack.mesh, service, 'bus_messages_total', 'outcome="duplicate"');
    expect(again).toBeGreaterThanOrEqual(9);
    await stack.expectNothingParked();
    expect(await metric(stack.mesh, service, 'bus_messages_lost_total')).toBe(0);
  },
);

test.each(groups)(
  'after a reset of $group to the latest offset no waiting message is left out',
  async ({ service, group, topic }) => {
    await stack.live(`latest-${service}`);
    await drained(stack.mesh);
    await whileStopped(stack.mesh, service, async (admin) => {
      if (service !== 'orders') await stack.live(`latest-${service}-waiting`);
      await reset(admin, { group, topic }, 'high');
    });
    await stack.live(`latest-${service}-after`);
    await drained(stack.mesh);
    await stack.expectNothingParked();
  },
);

test('every order is complete, and every event was delivered once', async () => {
  await expectWholeLives(stack.mesh, stack.ids);
  await expectDelivered(stack.receiver, stack.ids);
  expect(await deliveries()).toBe(stack.ids.length * 9);
  await asSuperuser(stack.mesh, 'orders', async (client) => {
    const { rows } = await client.query('select count(*)::int as count from unreported_events');
    expect(rows).toEqual([{ count: 0 }]);
  });
});
