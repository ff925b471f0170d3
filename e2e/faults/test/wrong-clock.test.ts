/**
 * | Fault | Expected |
 * |---|---|
 * | The clock of a process is 10 minutes ahead or behind, and jumps back | the process is not ready while its clock is wrong; it loses, doubles and reorders nothing; its signatures are valid for receivers with a right clock |
 */
import { afterAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { openClocks } from '../../clocks.ts';
import { settled } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { stackUnderTest } from '../stack.ts';

const offsetMs = 600_000;
const clocks = openClocks();
const stack = stackUnderTest({ env: clocks.env });
afterAll(() => clocks.forget());

const cases = ['orders', 'custody', 'webhooks', 'gateway'].flatMap((service) => [
  { service, direction: 'ahead', ms: offsetMs },
  { service, direction: 'behind', ms: -offsetMs },
]);

test.each(cases)(
  'while the clock of $service is 10 minutes $direction it is not ready, and keys keep their orders',
  async ({ service, direction, ms }) => {
    const name = `${service}-${direction}`;
    const { pid, healthUrl } = stack.mesh.file().services.find((one) => one.name === service)!;
    const id = await stack.live(name);
    const again = async () =>
      (
        await partner(stack.mesh).post('/orders', orderBody({ external_id: name }), {
          'idempotency-key': name,
        })
      ).body.id;
    clocks.shift(pid, ms);
    await until(async () => (await fetch(healthUrl)).status === 503, {
      what: `${service} not to be ready`,
    });
    expect(await again()).toBe(id);
    await stack.live(`${name}-meanwhile`);
    clocks.restore(pid);
    await settled(stack.mesh);
    expect(await again()).toBe(id);
    await stack.live(`${name}-after`);
    await expectDelivered(stack.receiver, stack.ids);
  },
);

test('every order is complete, and every delivery was signed at a valid time', async () => {
  await expectWholeLives(stack.mesh, stack.ids);
  await expectDelivered(stack.receiver, stack.ids);
});
