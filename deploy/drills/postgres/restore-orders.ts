import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { orderBody, partner } from '../../../e2e/partner.ts';
import type { Drill } from '../drill.ts';
import { acknowledge, affectedOrders, discardParked } from './earlier-orders.ts';
import { openServers } from './servers.ts';

const driver = 'Canary Kern';

/** docs/operators/backup-restore.md, "Orders earlier than custody"; e2e/faults has the other databases. */
export const restoreOrders: Drill = {
  name: 'postgres-restore-orders',
  summary:
    'orders restored to an earlier moment: the list of affected orders, erased values, parked steps',
  run: async (bed) => {
    const { on, servers } = await openServers(bed);
    const { operator, partners, stack } = on;
    const { get, post } = partner(stack);
    const create = async (): Promise<string> => (await post('/orders', orderBody())).body.id;
    const [erased, shortened] = [await create(), await create()];
    for (const id of [erased, shortened]) await operator('order', 'walk', id, '--to', 'ACCEPTED');
    await operator('order', 'driver', erased, '--name', driver);
    await operator('order', 'walk', erased, '--to', 'CLOSED');
    const disclosed = async (): Promise<object[]> =>
      (await operator('order', 'show', erased)).json.disclosed;
    assert.equal((await disclosed()).length, 1);

    const underWay = partners.placed.filter(({ closed }) => !closed);
    const before = partners.placed.length;
    const time = await servers.orders.now();
    await operator('erase', '--order', erased, '--reason', 'drill', '--yes');
    assert.deepEqual(await disclosed(), []);
    await operator('order', 'driver', shortened, '--name', driver);
    await on.closed(6);
    await on.metricIs('orders', 'outbox_unsent', (value) => value === 0);
    const { affected, placedSince } = await bed.step('orders to an earlier moment', async () => {
      await servers.orders.kill();
      const placedSince = partners.placed.slice(before);
      const affected = await affectedOrders(on, () =>
        on.scaledToNone(['orders'], () => servers.orders.restore({ time })),
      );
      return { affected, placedSince };
    });
    const possible = [...underWay, ...placedSince].map(({ id }) => id).concat(erased, shortened);
    for (const id of affected) assert(possible.includes(id), `${id} is reported, and not affected`);
    const lost = [];
    for (const { id } of placedSince)
      if ((await get(`/orders/${id}`)).status === 404) lost.push(id);
    assert(lost.length > 0, 'orders of the lost time are gone');
    for (const id of [...lost, erased, shortened])
      assert(affected.has(id), `the list does not name ${id}`);
    bed.note(`  ${lost.length} orders are gone, ${affected.size - lost.length} are shortened`);

    await until(async () => (await disclosed()).length === 0, {
      what: 'the value to be erased again',
    });
    assert(!JSON.stringify((await get(`/orders/${erased}`)).body).includes(driver));
    const erasures = await operator('audit', 'list', '--action', 'ErasePersonalData');
    assert(JSON.stringify(erasures.json).includes(erased), 'the audit log names the erasure');

    const reason = `restore of orders to ${time}`;
    await bed.step('a dispatcher who does not know of the restore takes a step', async () => {
      await operator('order', 'driver', shortened, '--name', 'another');
      const parked = async () => (await operator('dlq', 'list')).json;
      await until(async () => (await parked()).length === 1, { what: 'its event to be parked' });
      assert.match((await parked())[0].reason, /cannot follow entry/);
      await discardParked(on, affected, reason);
      await on.closed(3);
    });
    await bed.step('each violation is acknowledged', () => acknowledge(on, affected, reason));
    await bed.step('what is not affected is complete', () => on.completeBut(affected));
  },
};
