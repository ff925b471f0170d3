import assert from 'node:assert/strict';
import { partner } from '../../../e2e/partner.ts';
import { requireValid } from '../bed/received.ts';
import type { Drill } from '../drill.ts';
import { acknowledge, affectedOrders, discardParked } from './earlier-orders.ts';
import type { RestoreTarget } from './server.ts';
import { openServers } from './servers.ts';

const services = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'auditor'];

/** docs/operators/backup-restore.md, "Restore all databases", and ledger.md, "After a restore". */
export const restoreAll: Drill = {
  name: 'postgres-restore-all',
  summary:
    'all databases restored to their last commits, then to one moment, custody to its last commit',
  run: async (bed) => {
    const { on, servers } = await openServers(bed);
    const { operator, partners, stack } = on;
    const all = Object.values(servers);
    const restore = async (target?: RestoreTarget): Promise<void> => {
      for (const server of all) await server.kill();
      await on.scaledToNone(services, async () => {
        for (const server of all) await server.restore(target);
      });
    };
    const halted = (is: 0 | 1) =>
      on.metricIs('custody', 'custody_log_halted', (value) => value === is);

    await bed.step('all databases to their last commits: nothing is lost', async () => {
      await restore();
      await on.closed(5);
      for (const { id } of [...partners.placed])
        assert.equal((await partner(stack).get(`/orders/${id}`)).status, 200, `order ${id}`);
      await on.arrived();
      await requireValid(operator);
      assert.deepEqual((await operator('ledger', 'violations', '--state', 'open')).json, []);
    });

    const before = partners.placed.length;
    const time = await servers.orders.now();
    await on.closed(6);
    await on.metricIs('orders', 'outbox_unsent', (value) => value === 0);
    const timeline = await servers.custody.timeline();
    const reason = `restore of all databases to ${time}`;
    const lost: string[] = [];
    await bed.step('all databases to one earlier moment: the log halts', async () => {
      await restore({ time });
      await halted(1);
      bed.note('  custody_log_halted is 1: the anchor has later checkpoints');
      assert.equal((await operator('ledger', 'verify')).code, 1);
      for (const { id } of partners.placed.slice(before))
        if ((await partner(stack).get(`/orders/${id}`)).status === 404) lost.push(id);
      assert(lost.length > 0, 'orders of the lost time are gone');
      await on.placed(3);
      bed.note(`  ${lost.length} orders are gone; others are accepted, their events wait`);
    });
    const affected = await bed.step('custody to its last commit, on the timeline before', () =>
      affectedOrders(on, async () => {
        await servers.custody.kill();
        await on.scaledToNone(['custody'], () => servers.custody.restore({ timeline }));
        await halted(0);
        await on.metricIs('custody', 'bus_consumer_lag', (value) => value < 5);
      }),
    );
    for (const id of lost) assert(affected.has(id), `the list does not name ${id}`);
    await bed.step('each violation is acknowledged', async () => {
      await discardParked(on, affected, reason);
      await on.closed(3);
      await acknowledge(on, affected, reason);
    });
    await bed.step('what is not affected is complete', () => on.completeBut(affected));
  },
};
