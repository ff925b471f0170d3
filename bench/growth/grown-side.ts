import { cpuSince, stackCpu } from '../http/processes.ts';
import { responseOf } from '../http/response-of.ts';
import { percentile } from '../measuring/percentile.ts';
import type { Latency, Side } from '../measuring/ratio.ts';
import type { GrownStack } from './grown-stack.ts';
import { type Operation, targetOf } from './operations.ts';

const requestsPerRound = 20;

/** One operation on a local stack of some size, one request after another. */
export const grownSide = (name: string, grown: GrownStack, operation: Operation): Side => {
  const cpu = () => stackCpu(grown.stack.file());
  let ids: string[] = [];
  let next = 0;
  let used = cpuSince(cpu(), cpu());
  let latency: Latency = { p50Ms: 0, p99Ms: 0 };
  return {
    name,
    prepare: async () => {
      ids = [];
      for (let n = 0; n < requestsPerRound; n++) {
        const first = operation.first?.(grown);
        const created = first && (await responseOf(targetOf(grown, first)));
        ids.push(created?.id ?? grown.orderIds[next++ % grown.orderIds.length]);
      }
    },
    round: async () => {
      const before = cpu();
      const ms: number[] = [];
      for (const id of ids) {
        const begun = performance.now();
        await responseOf(targetOf(grown, operation.request(id)));
        ms.push(performance.now() - begun);
      }
      used = cpuSince(before, cpu());
      latency = { p50Ms: percentile(ms, 0.5), p99Ms: percentile(ms, 0.99) };
      return ids.length;
    },
    latency: () => latency,
    cpuByProcess: () => used,
  };
};
