import type { Side } from '../ratio.ts';
import { type CpuMicros, cpuSince } from './processes.ts';
import { type Load, load, type Target } from './wrk.ts';

const roundMs = 1000;

/** A side that answers HTTP, and what its rounds have cost so far. */
export const httpSide = (options: {
  name: string;
  folder: string;
  target: Target;
  connections: number;
  cpu(): CpuMicros;
}) => {
  const { name, folder, target, connections } = options;
  const loads: Load[] = [];
  const micros: Record<string, number> = {};
  let last: CpuMicros = {};
  const side: Side = {
    name,
    round: async () => {
      const before = options.cpu();
      const done = await load(folder, target, connections, roundMs);
      last = cpuSince(before, options.cpu());
      for (const [process, used] of Object.entries(last))
        micros[process] = (micros[process] ?? 0) + used;
      loads.push(done);
      return done.requests;
    },
    cpuMicros: () => Object.values(last).reduce((sum, used) => sum + used, 0),
  };
  /** p50 and p99 of the median round, and CPU µs per request of each process, the most first. */
  const summary = (): string => {
    const requests = loads.reduce((sum, one) => sum + one.requests, 0);
    const median = (of: (one: Load) => number) =>
      loads
        .map(of)
        .sort((a, b) => a - b)
        [Math.floor(loads.length / 2)]!.toFixed(1);
    const cpu = Object.entries(micros)
      .map(([process, used]) => [process, used / requests] as const)
      .filter(([, used]) => used >= 1)
      .sort(([, a], [, b]) => b - a)
      .map(([process, used]) => `${process} ${used.toFixed(0)}`);
    return `  ${name}: p50 ${median((one) => one.p50Ms)} ms, p99 ${median((one) => one.p99Ms)} ms; CPU µs: ${cpu.join(', ')}`;
  };
  return { side, summary };
};
