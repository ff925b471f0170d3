/** Whole lives of orders: a creation, eight operator's commands, nine webhooks, a proof. */
import { until } from '@pto/testing';
import { walkOrder } from '../../e2e/load.ts';
import { startReceiver } from '../../e2e/receiver.ts';
import { call, create, orderWith } from '../fairness/calls.ts';
import { type Prepared, stackProcesses } from '../http/stack.ts';
import { type CpuMicros, cpuNow, cpuSince } from '../measuring/process-cpu.ts';
import { requireRows, requireStatus } from '../measuring/report.ts';

const eventsOfLife = 9;
const apiPath = '/api/partner/v1';

interface Lived {
  readonly count: number;
  readonly tookMs: number;
  /** CPU time of one life in µs, by the name of the process. */
  readonly perLife: CpuMicros;
}

/** Begins a work for 0, 1, 2 and so on, and ends with the last one. */
type Pace = (work: (n: number) => Promise<void>) => Promise<void>;

/** Opens a receiver in each stack. The lives of a run are spread over the stacks and their gateways. */
export const openLives = async (stacks: readonly Prepared[]) => {
  const cells = await Promise.all(
    stacks.map(async ({ stack, baseUrl, key }) => {
      const receiver = await startReceiver(stack);
      await create(baseUrl, '/webhooks', key, { url: receiver.url });
      const gateways = stack.file().gateways.map((gateway) => gateway + apiPath);
      return { stack, key, receiver, gateways, ids: [] as string[] };
    }),
  );
  const processes = stackProcesses(stacks[0]!.stack.file());
  return {
    /** Begins lives as `pace` says; ends when each has its webhooks and its proof. */
    run: async (pace: Pace): Promise<Lived> => {
      for (const { receiver, ids } of cells) receiver.received.length = ids.length = 0;
      const [cpu, begun] = [cpuNow(), performance.now()];
      await pace(async (n) => {
        const { stack, key, gateways, ids } = cells[n % cells.length]!;
        const gateway = gateways[Math.floor(n / cells.length) % gateways.length]!;
        const id = await create(gateway, '/orders', key, orderWith(1));
        await walkOrder(stack, id);
        ids.push(id);
      });
      for (const { key, receiver, gateways, ids } of cells) {
        const expected = ids.length * eventsOfLife;
        const every = { what: 'every webhook', deadlineMs: 120_000 };
        await until(() => receiver.received.length >= expected, every).catch(() => {});
        requireRows(
          'webhooks',
          expected,
          new Set(receiver.received.map((one) => one.delivery)).size,
        );
        for (const id of ids) {
          const proof = await call(gateways[0]!, 'GET', `/orders/${id}/custody/proof`, key);
          requireStatus(`proof of ${id}`, 200, proof.status);
        }
      }
      const count = cells.reduce((sum, { ids }) => sum + ids.length, 0);
      const used = Object.entries(cpuSince(cpu, processes));
      return {
        count,
        tookMs: performance.now() - begun,
        perLife: Object.fromEntries(used.map(([name, micros]) => [name, micros / count])),
      };
    },
    stop: () => Promise.all(cells.map(({ receiver }) => receiver.stop())),
  };
};
