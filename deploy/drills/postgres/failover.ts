import assert from 'node:assert/strict';
import { openEntry } from '../bed/entry.ts';
import { openLoaded } from '../bed/loaded.ts';
import type { Drill } from '../drill.ts';
import { acknowledge, affectedOrders } from './earlier-orders.ts';
import { ordersOn, replaceDatabase, synchronize } from './replicas.ts';
import { openServer, type Server } from './server.ts';

/** docs/operators/backup-restore.md, "After a failover that lost commits": all databases on one server. */
export const postgresFailover: Drill = {
  name: 'postgres-failover',
  summary: 'the primary is killed: with a synchronous standby, then with one that lacks commits',
  run: async (bed) => {
    const first = await bed.step('a server', () => openServer(bed, 'first'));
    const second = await bed.step('a synchronous standby', async () => {
      const standby = await openServer(bed, 'second', { primary: first });
      await synchronize(first);
      return standby;
    });
    const entry = await openEntry(bed, first.port);
    const url = new URL(first.url);
    url.port = `${entry.port}`;
    const on = await openLoaded(bed, { env: { DATABASE_URL: url.href } });
    const failOver = async (dead: Server, successor: Server): Promise<void> => {
      await dead.kill();
      await successor.run('pg_ctl', ['promote', '-D', successor.data()]);
      entry.lead(successor.port);
    };

    await bed.step('the primary fails; the synchronous standby lacks nothing', async () => {
      const begun = performance.now();
      await failOver(first, second);
      await on.closed(1);
      bed.note(`  an order ended ${Math.round((performance.now() - begun) / 1000)} s later`);
      await on.complete();
    });
    await bed.step('a standby lacks the last commits, and this is found', async () => {
      const wire = await openEntry(bed, second.port);
      const primary = { url: second.url, port: wire.port };
      const third = await openServer(bed, 'third', { primary });
      await on.closed(3);
      bed.note('  the network between the servers fails');
      wire.cut();
      await on.closed(5);
      await failOver(second, third);
      const placed = on.partners.placed.map(({ id }) => id);
      await on.metricIs('custody', 'custody_log_halted', (value) => value === 1);
      bed.note('  custody_log_halted is 1');
      // at its own address, as a copy of the dead disk
      await second.startAgain({ synchronous_standby_names: '' });
      const affected = await affectedOrders(on, async () => {
        await on.scaledToNone(['custody'], () => replaceDatabase(bed, second, third, 'custody'));
        await on.metricIs('custody', 'custody_log_halted', (value) => value === 0);
        await on.metricIs('custody', 'bus_consumer_lag', (value) => value === 0);
      });
      const kept = await ordersOn(third, placed);
      const lost = placed.filter((id) => !kept.includes(id));
      assert(lost.length > 0, 'orders are lost');
      assert.deepEqual(
        (await ordersOn(second, lost)).sort(),
        lost.sort(),
        'the dead disk has them',
      );
      const unsent = lost.filter((id) => !affected.has(id)).length;
      bed.note(
        `  ${lost.length} orders are gone, ${affected.size - lost.length + unsent} are shortened; ` +
          `${unsent} of the lost had no event on the bus: only the dead disk names them`,
      );
      await acknowledge(on, affected, 'failover without the last commits');
      await on.closed(3);
    });
    await on.partners.stop();
  },
};
