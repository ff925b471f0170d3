import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../e2e/partner.ts';
import { metricOf, openStack, operatorOf, whileScaledToNone } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import { allReceived, requireSound } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { openDeadDisk, ordersOn, replaceDatabase } from './lost-commits.ts';
import { openPatroni } from './patroni.ts';
import { acknowledgeAll } from './restore-one/acknowledge.ts';

const deadlineMs = 60_000;

/** All databases on one server under Patroni; its machine fails, with and without a synchronous standby. */
export const postgresFailover: Rehearsal = {
  name: 'postgres-failover',
  summary: 'the primary is killed: with a synchronous standby, then with one that lacks commits',
  run: async (stage) => {
    const patroni = await stage.step('Patroni with a synchronous standby, behind HAProxy', () =>
      openPatroni(stage),
    );
    const stack = await stage.step('the services', () =>
      openStack(stage, { env: { DATABASE_URL: patroni.url } }),
    );
    const operator = operatorOf(stage, stack);
    const { receiver, partners } = await underLoad(stage, stack);
    await closedIn(partners, 5);
    const dead = await patroni.primary();

    await stage.step('the primary fails; the synchronous standby lacks nothing', async () => {
      const begun = performance.now();
      dead.kill();
      await patroni.primary(dead);
      await closedIn(partners, 1);
      stage.note(`  an order ended ${Math.round((performance.now() - begun) / 1000)} s later`);
      const ids = partners.placed.filter((order) => order.closed).map(({ id }) => id);
      for (const id of ids)
        assert.equal((await partner(stack).get(`/orders/${id}`)).body?.status, 'CLOSED');
      await allReceived(receiver, ids);
      await requireSound(operator, receiver);
    });
    await stage.step('the failed node comes back as the standby', async () => {
      await dead.start();
      await patroni.replicated('sync_standby');
    });

    await stage.step(
      'an asynchronous standby lacks the last commits, and this is found',
      async () => {
        await patroni.ctl('edit-config', '--force', '--set', 'synchronous_mode=false');
        await patroni.replicated('replica');
        const failing = await patroni.primary();
        stage.note('  the network between the nodes fails');
        failing.wire.cut();
        await closedIn(partners, 5);
        failing.kill();
        const placed = partners.placed.map(({ id }) => id);
        await patroni.primary(failing);
        await until(async () => (await metricOf(stack, 'custody', 'custody_log_halted')) === 1, {
          deadlineMs,
          what: 'the log to halt',
        });
        stage.note('  custody_log_halted is 1');
        const disk = await openDeadDisk(stage, patroni, failing);
        const affected = new Set<string>();
        await whileScaledToNone(stage, stack, ['auditor'], async () => {
          await whileScaledToNone(stage, stack, ['custody'], () =>
            replaceDatabase(stage, patroni, disk, 'custody'),
          );
          const halted = () => metricOf(stack, 'custody', 'custody_log_halted');
          await until(async () => (await halted()) === 0, { deadlineMs, what: 'no halt' });
          await until(async () => (await metricOf(stack, 'custody', 'bus_consumer_lag')) === 0, {
            deadlineMs,
            what: 'custody to read on',
          });
          const { json } = await operator('ledger', 'verify');
          for (const { order_id } of json.faults) affected.add(order_id);
        });
        const kept = await ordersOn(patroni.url, placed);
        const lost = placed.filter((id) => !kept.includes(id));
        const unsent = lost.filter((id) => !affected.has(id));
        assert(lost.length > 0, 'orders are lost');
        assert.deepEqual(
          (await ordersOn(disk, lost)).sort(),
          lost.sort(),
          'the dead disk has them',
        );
        stage.note(
          `  ${lost.length} orders are gone, ${affected.size - lost.length + unsent.length} are shortened; ` +
            `${unsent.length} of the lost had no event on the bus: only the dead disk names them`,
        );
        await acknowledgeAll({ stack, operator }, affected, 'failover without the last commits');
        await closedIn(partners, 3);
      },
    );
    await partners.stop();
  },
};
