import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { settled } from '../../../e2e/local-stack.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, statusText, underLoad } from '../stage/partners.ts';
import { allReceived, requireSound } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';

const stoppedMs = 60_000;
/** One replica of each of these stops while the other works. */
const replicated = ['orders', 'custody', 'webhooks', 'gateway'];
const alone = ['operators', 'courier', 'auditor', 'console'];
/** Orders of the begin of a stop. */
const firstOrders = 20;

/** A process that neither works nor ends, as on a machine that swaps or is suspended. */
export const stopEachProcess: Rehearsal = {
  name: 'stop-each-process',
  summary: 'kill -STOP of each process for 60 s: another replica does its work, nothing twice',
  run: async (stage) => {
    const replicas = replicated.map((name) => `${name}=2`).join(',');
    const stack = await stage.step('the services, two replicas of four of them', () =>
      openStack(stage, { args: ['--no-demo', '--replicas', replicas] }),
    );
    const operator = operatorOf(stage, stack);
    const { receiver, partners } = await underLoad(stage, stack, 6);
    await closedIn(partners, 5);
    const before = stack.file().services.map(({ pid }) => pid);

    const stopAndContinue = async (name: string): Promise<void> => {
      const { pid } = stack.file().services.find((one) => one.name === name)!;
      const [placed, delivered] = [partners.placed.length, receiver.received.length];
      stage.note(`  kill -STOP of ${name}`);
      process.kill(pid, 'SIGSTOP');
      try {
        await sleep(stoppedMs);
        const [orders, webhooks] = [
          partners.placed.length - placed,
          receiver.received.length - delivered,
        ];
        stage.note(
          `  kill -CONT of ${name}: ${orders} orders placed and ${webhooks} webhooks delivered meanwhile`,
        );
        if (replicated.includes(name)) await requireTakenOver(name, placed);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
    };
    /** Requires that orders of the begin of a stop have all webhooks before its end. */
    const requireTakenOver = async (name: string, since: number): Promise<void> => {
      const first = partners.placed.slice(since, since + firstOrders);
      const ended = first.filter(({ closed }) => closed).map(({ id }) => id);
      // calls that wait for the stopped process may have kept some from their end
      assert.ok(ended.length > first.length / 2, `orders end while ${name} is stopped`);
      await allReceived(receiver, ended, 1000);
      stage.note(`    another replica of ${name} does its work`);
    };
    const complete = async (): Promise<void> => {
      await settled(stack);
      await closedIn(partners, 3);
      const closed = partners.placed.filter((order) => order.closed).map(({ id }) => id);
      const begun = performance.now();
      await allReceived(receiver, closed);
      stage.note(`  the last webhook came after ${Math.round(performance.now() - begun)} ms`);
      await requireSound(operator, receiver);
    };
    await stage.step(`one replica each of ${replicated.join(', ')}`, async () => {
      // one after the other: what a stopped process locks is free after 30 s
      for (const name of replicated) await stopAndContinue(name);
      await complete();
    });
    await stage.step(`${alone.join(', ')}, which have no other replica`, async () => {
      await Promise.all(alone.map(stopAndContinue));
      await complete();
    });
    await partners.finish();
    const restarted = stack.file().services.filter(({ pid }) => !before.includes(pid));
    stage.note(`  responses to creations: ${statusText(partners.statuses)}`);
    stage.note(`  restarted: ${restarted.map(({ name }) => name).join(', ') || 'none'}`);
  },
};
