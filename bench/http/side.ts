import { type CpuMicros, cpuSince } from '../measuring/process-cpu.ts';
import type { Side } from '../measuring/ratio.ts';
import { type Load, load, type Target } from './wrk.ts';

const roundMs = 1000;

/** A side that responds to HTTP requests of wrk. */
export const httpSide = (options: {
  name: string;
  folder: string;
  /** Called before each round. */
  target(): Promise<Target>;
  connections: number;
  cpu(): CpuMicros;
  response?(): Promise<unknown>;
}): Side => {
  const { name, folder, connections, response } = options;
  let target: Target | undefined;
  let used: CpuMicros = {};
  let last: Load | undefined;
  return {
    name,
    ...(response && { response }),
    prepare: async () => {
      target = await options.target();
    },
    round: async () => {
      const before = options.cpu();
      last = await load(folder, target!, connections, roundMs);
      used = cpuSince(before, options.cpu());
      return last.requests;
    },
    cpuByProcess: () => used,
    latency: () => last!,
  };
};
