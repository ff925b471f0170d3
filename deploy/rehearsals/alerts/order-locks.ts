import { setTimeout as sleep } from 'node:timers/promises';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { createOrder } from '../../../e2e/load.ts';
import { operatorClients } from '../../../e2e/operator.ts';
import { orderBody, partner } from '../../../e2e/partner.ts';
import { walk } from '../../../operator/src/commands/order-steps.ts';
import type { AlertScene } from './scene.ts';

/** Holds a lock on the orders for a second at a time, while partners read and create orders. */
export const locked = async ({ stack, partners }: AlertScene) => {
  let on = true;
  const [known] = partners.placed;
  const holding = asSuperuser(stack, 'orders', async (client) => {
    while (on) {
      await client.query('begin; lock table orders in access exclusive mode');
      await sleep(1000);
      await client.query('rollback');
    }
  });
  const using = Array.from({ length: 30 }, async (_, n) => {
    const { get, post } = partner(stack);
    while (on)
      await (n % 2 === 0 ? get(`/orders/${known!.id}`) : post('/orders', orderBody())).catch(
        () => {},
      );
  });
  return async () => {
    on = false;
    await Promise.all([holding, ...using]);
  };
};

/** More commands at once than the pool of orders has connections. */
const commands = 30;

/** Holds a lock on the orders that reads do not meet, while operators assign orders. */
export const lockedForLong = async ({ stack }: AlertScene) => {
  const ids = await Promise.all(
    Array.from({ length: commands }, (_, n) => createOrder(stack, `assigned-${n}`)),
  );
  let on = true;
  let unlock = (): void => {};
  const ended = new Promise<void>((resolve) => {
    unlock = resolve;
  });
  const holding = asSuperuser(stack, 'orders', async (client) => {
    await client.query('begin; lock table orders in exclusive mode');
    await ended;
    await client.query('rollback');
  });
  const { orders } = operatorClients(stack);
  const assigning = ids.map(async (id) => {
    while (on) await walk(orders, id, 'ASSIGNED', 0).catch(() => sleep(100));
  });
  return async () => {
    on = false;
    unlock();
    await Promise.all([holding, ...assigning]);
  };
};
