/** Whole lives of orders: a creation, eight operator's commands, nine webhooks, a proof. */
import { until } from '@pto/testing';
import { eventsOfALife } from '../../e2e/deliveries.ts';
import { walkOrder } from '../../e2e/load.ts';
import { startReceiver } from '../../e2e/receiver.ts';
import { call, create, orderWith } from '../http/calls.ts';
import { type Prepared, stackProcesses } from '../http/stack.ts';
import { atRate } from '../latency/constant-rate.ts';
import { cpuNow, cpuSince } from '../measuring/process-cpu.ts';
import { requireRows, requireStatus } from '../measuring/report.ts';

/** Opens a receiver in the stack. */
export const openLives = async ({ stack, baseUrl, key }: Prepared, perSecond: number) => {
  const { received, url, stop } = await startReceiver(stack);
  await create(baseUrl, '/webhooks', key, { url });
  return {
    /**
     * Begins lives at the rate; ends when each has its webhooks and its proof.
     * @returns the CPU time of one life in µs, by the name of the process, too.
     */
    run: async (seconds: number) => {
      received.length = 0;
      const ids: string[] = [];
      const [cpu, begun] = [cpuNow(), performance.now()];
      await atRate({ perSecond, seconds }, async () => {
        const id = await create(baseUrl, '/orders', key, orderWith(1));
        await walkOrder(stack, id);
        ids.push(id);
      });
      const expected = ids.length * eventsOfALife;
      const every = { what: 'every webhook', deadlineMs: 120_000 };
      await until(() => received.length >= expected, every).catch(() => {});
      requireRows('webhooks', expected, new Set(received.map(({ delivery }) => delivery)).size);
      for (const id of ids) {
        const { status } = await call(baseUrl, 'GET', `/orders/${id}/custody/proof`, key);
        requireStatus(`proof of ${id}`, 200, status);
      }
      const used = Object.entries(cpuSince(cpu, stackProcesses(stack.file())));
      return {
        count: ids.length,
        tookMs: performance.now() - begun,
        perLife: Object.fromEntries(used.map(([name, micros]) => [name, micros / ids.length])),
      };
    },
    stop,
  };
};
