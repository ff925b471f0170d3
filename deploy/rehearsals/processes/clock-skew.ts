import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { type LocalStack, settled } from '../../../e2e/local-stack.ts';
import { openServer } from '../postgres/server.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import { allReceived, repeatedEvents } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { openFakeClock } from './fake-clock.ts';

const aheadS = 600;
const deadlineMs = 60_000;

/** The clock of the database's server jumps; e2e/faults/test/wrong-clock.test.ts does the processes'. */
export const clockSkew: Rehearsal = {
  name: 'clock-skew',
  summary: "the database server's clock jumps 10 minutes ahead and back: nothing is lost or stuck",
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
        const text =
          'update pending_deliveries set due_at = now() where not tried and due_at > now()';
        const { rowCount } = await client.query(text);
        stage.note(`  $ psql webhooks: ${text}   (${rowCount} rows)`);
        return rowCount ?? 0;
      });
    await delivered();
    await stage.step(`the server is ${aheadS} s ahead: the processes are not ready`, async () => {
      clock.ahead(aheadS);
      await until(async () => (await unready(stack)).includes('orders'), {
        deadlineMs,
        what: 'orders not to be ready',
      });
      stage.note(`  not ready: ${(await unready(stack)).join(', ')}`);
      await delivered();
    });
    await stage.step('the clock is stepped back while deliveries wait', async () => {
      receiver.state.status = null; // the receiver does not respond: later events wait
      await closedIn(partners, 4);
      clock.ahead(0);
      await settled(stack);
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
