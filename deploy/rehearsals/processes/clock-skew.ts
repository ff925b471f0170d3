import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { type LocalStack, settled } from '../../../e2e/local-stack.ts';
import { untilFired, untilResolved } from '../alerts/alert-watch.ts';
import { logsFromNow } from '../alerts/logs.ts';
import { findInLog, metricAsIn, requireNamed } from '../alerts/runbook.ts';
import type { RunbookScene } from '../alerts/scene.ts';
import { watchStack } from '../alerts/watch-stack.ts';
import { openServer } from '../postgres/server.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import { allReceived, repeatedEvents } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { openFakeClock } from './fake-clock.ts';

const aheadS = 600;
const deadlineMs = 60_000;
const alert = 'ClockSkew';
/** Both, of a process that takes its time from that server. */
const expected = ['ticket', 'page'].map((severity) => ({
  alert,
  labels: { service: 'orders', severity },
}));
const statement = 'update pending_deliveries set due_at = now() where not tried and due_at > now()';

/** The clock of the database's server jumps; e2e/faults/test/wrong-clock.test.ts does the processes'. */
export const clockSkew: Rehearsal = {
  name: 'clock-skew',
  summary:
    "the database server's clock jumps 10 minutes ahead and back: ClockSkew fires, nothing is lost",
  run: async (stage) => {
    const clock = openFakeClock(stage);
    const server = await stage.step('a database server with a clock of its own', () =>
      openServer(stage, 'all', clock.env),
    );
    const stack = await stage.step('the services', () =>
      openStack(stage, { env: { DATABASE_URL: server.url } }),
    );
    const operator = operatorOf(stage, stack);
    const { receiver, partners } = await underLoad(stage, stack);
    const delivered = async (): Promise<void> => {
      await closedIn(partners, 5);
      const closed = partners.placed.filter((order) => order.closed).map(({ id }) => id);
      const begun = performance.now();
      await allReceived(receiver, closed);
      stage.note(`  the last webhook came after ${Math.round(performance.now() - begun)} ms`);
      assert.deepEqual(repeatedEvents(receiver), []);
    };
    /** Deliveries of the time ahead are due when the clock has caught up: the runbook's statement. */
    const makeDue = (): Promise<number> =>
      asSuperuser(server.url, 'webhooks', async (client) => {
        requireNamed(scene, alert, statement);
        const { rowCount } = await client.query(statement);
        stage.note(`  $ psql webhooks: ${statement}   (${rowCount} rows)`);
        return rowCount ?? 0;
      });
    await delivered();
    const monitoring = await stage.step('Prometheus and Alertmanager', () =>
      watchStack(stage, stack),
    );
    const logs = logsFromNow(stack);
    const scene: RunbookScene = { stage, stack, monitoring, logs, followed: new Set() };
    await stage.step(`the server is ${aheadS} s ahead: the processes are not ready`, async () => {
      const begun = performance.now();
      clock.ahead(aheadS);
      await until(async () => (await unready(stack)).includes('orders'), {
        deadlineMs,
        what: 'orders not to be ready',
      });
      stage.note(`  not ready: ${(await unready(stack)).join(', ')}`);
      for (const one of expected) {
        const { at } = await untilFired(monitoring, one, begun, deadlineMs);
        const seconds = ((at - begun) / 1000).toFixed(1);
        stage.note(`  ${alert} (${one.labels.severity}) after ${seconds} s`);
      }
      await findInLog(scene, alert, 'orders-0', 'the clock of this process is wrong');
      const isBehind = (_: unknown, skewS: number) => Math.abs(skewS + aheadS) < 5;
      const skewed = await metricAsIn(scene, alert, 'clock_skew_seconds', isBehind);
      const services = new Set(skewed.map(({ metric }) => metric.service!));
      for (const name of ['orders', 'custody', 'webhooks'])
        assert.ok(services.has(name), `${name} shares the server whose clock is wrong`);
      await delivered();
    });
    await stage.step('the clock is stepped back while deliveries wait', async () => {
      receiver.state.status = null; // the receiver does not respond: later events wait
      await closedIn(partners, 4);
      clock.ahead(0);
      await settled(stack);
      await untilResolved(monitoring, expected);
      receiver.state.status = 204;
      await until(async () => (await makeDue()) > 0, { deadlineMs, what: 'waiting deliveries' });
      await delivered();
    });
    await stage.step('it jumps three times', async () => {
      for (const seconds of [aheadS, -aheadS, 0]) {
        clock.ahead(seconds);
        await closedIn(partners, 3);
      }
      await settled(stack);
      await makeDue();
      await delivered();
      await partners.finish();
      await until(async () => (await operator('ledger', 'verify')).json.valid, {
        deadlineMs,
        what: 'a valid ledger',
      });
      assert.deepEqual((await operator('dlq', 'list')).json, []);
    });
  },
};

/** @returns the names of processes that are not ready. */
const unready = async (stack: LocalStack): Promise<string[]> => {
  const { services } = stack.file();
  const states = await Promise.all(services.map(({ healthUrl }) => fetch(healthUrl)));
  return services.filter((_, n) => !states[n]!.ok).map(({ name }) => name);
};
