import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { settled } from '../../../e2e/local-stack.ts';
import { openLoaded } from '../bed/loaded.ts';
import { allReceived } from '../bed/received.ts';
import type { Drill } from '../drill.ts';

const stoppedMs = 60_000;
/** One replica of each of these stops while the other works. */
const replicated = ['orders', 'custody', 'webhooks', 'gateway'];
const alone = ['operators', 'courier', 'auditor', 'console'];
/** Orders of the begin of a stop. */
const firstOrders = 20;

/** A process that neither works nor ends, as on a machine that swaps or is suspended. */
export const stopEachProcess: Drill = {
  name: 'stop-each-process',
  summary: 'kill -STOP of each process for 60 s: another replica does its work, nothing twice',
  run: async (bed) => {
    const replicas = replicated.map((name) => `${name}=2`).join(',');
    const on = await openLoaded(bed, { args: ['--no-demo', '--replicas', replicas], lanes: 6 });
    const { partners, receiver, stack } = on;

    const stopAndContinue = async (name: string): Promise<void> => {
      const { pid } = stack.file().services.find((one) => one.name === name)!;
      const [placed, delivered] = [partners.placed.length, receiver.received.length];
      bed.note(`  kill -STOP of ${name}`);
      process.kill(pid, 'SIGSTOP');
      try {
        await sleep(stoppedMs);
        bed.note(
          `  kill -CONT of ${name}: ${partners.placed.length - placed} orders placed, ` +
            `${receiver.received.length - delivered} webhooks delivered meanwhile`,
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
    };
    const complete = async (): Promise<void> => {
      await settled(stack);
      await on.closed(3);
      await on.complete();
    };
    await bed.step(`one replica each of ${replicated.join(', ')}`, async () => {
      // one after the other: what a stopped process locks is free after 30 s
      for (const name of replicated) await stopAndContinue(name);
      await complete();
    });
    await bed.step(`${alone.join(', ')}, which have no other replica`, async () => {
      await Promise.all(alone.map(stopAndContinue));
      await complete();
    });
    await on.finish();
  },
};
