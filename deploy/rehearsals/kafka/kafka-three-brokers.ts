import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import { partner } from '../../../e2e/partner.ts';
import { startReceiver } from '../../../e2e/receiver.ts';
import { metricOf, openStack, operatorOf, whileScaledToNone } from '../stage/local-stack.ts';
import { closedIn, startPartners } from '../stage/partners.ts';
import { allReceived, requireSound } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { openBrokers } from './brokers.ts';
import { loseMessages } from './lost-messages.ts';
import { addPartitions, inSync, usedPartitions } from './topics.ts';

const deadlineMs = 90_000;

/** Three brokers, two in-sync replicas: one is killed, two are, partitions are added, messages are lost. */
export const kafkaThreeBrokers: Rehearsal = {
  name: 'kafka-three-brokers',
  summary: 'one broker killed, two killed, partitions added, retention shorter than the lag',
  run: async (stage) => {
    const brokers = await stage.step('three brokers', () => openBrokers(stage));
    const stack = await stage.step('the services', () =>
      openStack(stage, { env: { KAFKA_BROKERS: brokers.addresses.join(',') } }),
    );
    const operator = operatorOf(stage, stack);
    const receiver = await startReceiver(stack);
    stage.atEnd(receiver.stop);
    await receiver.subscribe();
    const pids = () => stack.file().services.map(({ pid }) => pid);
    const before = pids();
    let partners = startPartners(stack);
    stage.atEnd(() => partners.stop().catch(() => {}));
    const closed: string[] = [];
    /** Each event of each closed order is at its receiver, and the ledger has it. */
    const complete = async (): Promise<void> => {
      await partners.finish();
      closed.push(...partners.placed.map(({ id }) => id));
      await allReceived(receiver, closed);
      await requireSound(operator, receiver);
      for (const id of closed)
        assert.equal((await partner(stack).get(`/orders/${id}`)).body.status, 'CLOSED');
    };
    await closedIn(partners, 5);

    await stage.step('one broker is killed: orders, ledger and webhooks go on', async () => {
      brokers.kill(1);
      await closedIn(partners, 5);
      const ids = partners.placed.filter((order) => order.closed).map(({ id }) => id);
      const begun = performance.now();
      await allReceived(receiver, ids);
      stage.note(`  webhooks of these orders within ${Math.round(performance.now() - begun)} ms`);
      await brokers.start(1);
      await inSync(stack, 3);
    });
    await stage.step('two brokers are killed: orders are accepted, events wait', async () => {
      brokers.kill(2);
      brokers.kill(3);
      await closedIn(partners, 8);
      const unsent = await until(() => metricOf(stack, 'orders', 'outbox_unsent'), {
        deadlineMs,
        what: 'events that wait in the outbox',
      });
      stage.note(`  outbox_unsent of orders is ${unsent}`);
      for (const { name, healthUrl } of stack.file().services)
        assert((await fetch(healthUrl)).ok, `${name} is ready`);
      await brokers.start(2, 3);
      await inSync(stack, 3);
      await complete();
      assert.deepEqual(pids(), before, 'no process was restarted');
      stage.note(`  ${closed.length} orders are complete; no process was restarted`);
    });
    await stage.step('partitions are added while partners place orders', async () => {
      partners = startPartners(stack, 2, 'partitions');
      await closedIn(partners, 3);
      await addPartitions(stack, 18);
      // a process that starts now divides the keys as before
      await whileScaledToNone(stage, stack, ['custody'], async () => {});
      const begun = performance.now();
      await usedPartitions(stack, 18);
      stage.note(`  used ${Math.round((performance.now() - begun) / 1000)} s later`);
      await closedIn(partners, 9);
      await complete();
    });
    await stage.step('the retention is shorter than the lag of custody: MessagesLost', async () => {
      closed.push(...(await loseMessages(stage, stack, operator)));
      partners = startPartners(stack, 2, 'afterwards');
      await closedIn(partners, 3);
      await complete();
    });
  },
};
