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
const apartMs = 15_000;

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

    const stopAndContinue = async (name: string, afterMs: number): Promise<void> => {
      await sleep(afterMs);
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
        if (replicated.includes(name))
          assert.ok(orders > 0 && webhooks > 0, `another replica of ${name} does its work`);
      } finally {
        process.kill(pid, 'SIGCONT');
      }
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
      await Promise.all(replicated.map((name, n) => stopAndContinue(name, n * apartMs)));
      await complete();
    });
    await stage.step(`${alone.join(', ')}, which have no other replica`, async () => {
      await Promise.all(alone.map((name) => stopAndContinue(name, 0)));
      await complete();
    });
    await partners.finish();
    const restarted = stack.file().services.filter(({ pid }) => !before.includes(pid));
    stage.note(`  responses to creations: ${statusText(partners.statuses)}`);
    stage.note(`  restarted: ${restarted.map(({ name }) => name).join(', ') || 'none'}`);
  },
};
