/** Measures one side of a comparison for some seconds. */
import type { CpuMicros } from './process-cpu.ts';
import { requireOperations, requireRows } from './void-run.ts';

export interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface Side {
  readonly name: string;
  /** Before each round, and not counted. */
  prepare?(): Promise<void>;
  /** One round of work. @returns how many operations it did. */
  round(): number | Promise<number>;
  /** The rows that the last round left in the store, counted there: one for each operation. */
  rows?(): Promise<number>;
  /** After each round, and not counted: what it did is cleared away. */
  finish?(): Promise<void>;
  /** The response to one request, as data. Both sides' are compared before and after the timing. */
  response?(): Promise<unknown>;
  /** How long the operations of the last round took. */
  latency?(): Latency;
  /** The CPU time of the last round, where other processes than this one did it. */
  cpuMicros?(): number;
  /** The CPU time of the store's processes for the last round, known after `finish`. */
  storeMicros?(): number;
  /** The same by process, instead of `cpuMicros` and `storeMicros`. */
  cpuByProcess?(): CpuMicros;
}

export interface Sample {
  readonly perSecond: number;
  /** For one operation, by process. */
  readonly cpuMicros: CpuMicros;
  /** Medians over the rounds; null if the side has none. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
}

/**
 * Repeats the side's rounds until they have taken `ms`.
 * @throws VoidRun if rows are missing or nothing was done.
 */
export const sample = async (side: Side, ms: number): Promise<Sample> => {
  let [done, tookMs] = [0, 0];
  const micros: Record<string, number> = {};
  const latencies: Latency[] = [];
  while (tookMs < ms) {
    await side.prepare?.();
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    const operations = await side.round();
    tookMs += performance.now() - begun;
    const { user, system } = process.cpuUsage(cpu);
    done += operations;
    if (side.rows) requireRows(side.name, operations, await side.rows());
    if (side.latency) latencies.push(side.latency());
    await side.finish?.();
    const used = side.cpuByProcess?.() ?? {
      node: side.cpuMicros?.() ?? user + system,
      ...(side.storeMicros && { store: side.storeMicros() }),
    };
    for (const [name, more] of Object.entries(used)) micros[name] = (micros[name] ?? 0) + more;
  }
  requireOperations(side.name, done);
  return {
    perSecond: (done * 1000) / tookMs,
    cpuMicros: Object.fromEntries(
      Object.entries(micros).map(([name, used]) => [name, used / done]),
    ),
    p50Ms: median(latencies.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(latencies.map(({ p99Ms }) => p99Ms)),
  };
};

/** The middle value, the upper one of two; null of none. */
export const median = (values: readonly number[]): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;

/** The median, the lowest and the highest of at least one ratio. */
export const spreadOf = (ratios: readonly number[]) => ({
  median: median(ratios)!,
  lowest: Math.min(...ratios),
  highest: Math.max(...ratios),
});

export const sumOf = (micros: CpuMicros): number =>
  Object.values(micros).reduce((sum, used) => sum + used, 0);
