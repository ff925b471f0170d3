/** Measures two ways of doing one thing in one run, alternately, and reports their ratio. */
import { percentile } from './percentile.ts';
import { type CpuMicros, cpuNow, cpuSince, cpuText, sumOf } from './process-cpu.ts';
import {
  type Measured,
  reporting,
  requireRows,
  requireSameResponses,
  say,
  VoidRun,
} from './report.ts';

/** What one round did. */
export interface Round {
  readonly operations: number;
  readonly p50Ms?: number;
  readonly p95Ms?: number;
  readonly p99Ms?: number;
}

export interface Side {
  readonly name: string;
  /** Names of the processes whose CPU time counts (`cpuNow`); all by default. */
  readonly processes?: readonly string[];
  /** Before each round, and not counted. */
  prepare?(): Promise<void>;
  /** One round of work. */
  round(): Round | Promise<Round>;
  /** Waits for what the round has caused: its CPU time counts, the time does not. */
  settle?(): Promise<void>;
  /** The rows that the last round left in the store, counted there: one for each operation. */
  rows?(): Promise<number>;
  /** After each round, and not counted: what it did is cleared away. */
  finish?(): Promise<void>;
  /** The response to one request, as data. Both sides' are compared before and after the timing. */
  response?(): Promise<unknown>;
}

interface Options {
  /** What the ratio is to reach, for readers. */
  readonly goal?: string | null;
  /** What the ratio is of: operations per second, or a time of the operations. */
  readonly by?: 'perSecond' | 'p95Ms';
  readonly pairs?: number;
  readonly warmUpMs?: number;
  readonly sampleMs?: number;
}

/**
 * Ours and theirs in turns, each for `sampleMs` after a warm-up; the ratio is the median of the
 * pairs'. Printed as a table with the CPU time per operation.
 * @param theirs null if only ours is measured.
 */
export const compare = (
  what: string,
  ours: Side,
  theirs: Side | null,
  {
    goal = null,
    by = 'perSecond',
    pairs = 5,
    warmUpMs = Number(process.env.BENCH_WARM_MS ?? 2000),
    sampleMs = Number(process.env.BENCH_MS ?? 5000),
  }: Options = {},
): Promise<void> =>
  reporting(what, async () => {
    const compareResponses = async () => {
      if (ours.response && theirs?.response)
        requireSameResponses(await ours.response(), await theirs.response());
    };
    await compareResponses();
    for (const side of [ours, theirs]) if (side && warmUpMs > 0) await sample(side, warmUpMs);
    const samples: { ours: Measured[]; theirs: Measured[] } = { ours: [], theirs: [] };
    const ratios: number[] = [];
    for (let n = 1; n <= pairs; n++) {
      const a = await sample(ours, sampleMs);
      samples.ours.push(a);
      say(`  ${n}/${pairs}  ${line(a)}`);
      if (!theirs) continue;
      const b = await sample(theirs, sampleMs);
      samples.theirs.push(b);
      ratios.push(a[by]! / b[by]!);
      say(`        ${line(b)}   ratio ${ratios.at(-1)!.toFixed(3)}`);
    }
    await compareResponses();
    const [a, b] = [mediansOf(samples.ours), theirs && mediansOf(samples.theirs)];
    const ratio = theirs && {
      median: median(ratios)!,
      lowest: Math.min(...ratios),
      highest: Math.max(...ratios),
    };
    if (ratio) say(`  ratio ${Object.values(ratio).map((value) => value.toFixed(3))}`);
    for (const one of [a, b]) if (one) say(`  ${one.name}: CPU µs: ${cpuText(one.cpuMicros)}`);
    return { ours: a, theirs: b, ratio, goal, sampleMs };
  });

/**
 * Repeats the side's rounds until they have taken `ms`.
 * @throws VoidRun if rows are missing or nothing was done.
 */
const sample = async (side: Side, ms: number): Promise<Measured> => {
  let [done, tookMs] = [0, 0];
  const used: CpuMicros[] = [];
  const rounds: Round[] = [];
  while (tookMs < ms) {
    await side.prepare?.();
    const [cpu, begun] = [cpuNow(), performance.now()];
    const round = await side.round();
    tookMs += performance.now() - begun;
    await side.settle?.();
    used.push(cpuSince(cpu, side.processes));
    done += round.operations;
    rounds.push(round);
    if (side.rows) requireRows(side.name, round.operations, await side.rows());
    await side.finish?.();
  }
  if (done === 0) throw new VoidRun(`${side.name}: no operation was completed`);
  const perSecond = (done * 1000) / tookMs;
  return { name: side.name, perSecond, ...timesOf(rounds), cpuMicros: meanOf(used, done) };
};

/** The medians of a side's samples, and the means of its CPU times. */
const mediansOf = (samples: readonly Measured[]): Measured => ({
  name: samples[0]!.name,
  perSecond: median(samples.map((one) => one.perSecond))!,
  ...timesOf(samples),
  cpuMicros: meanOf(
    samples.map((one) => one.cpuMicros),
    samples.length,
  ),
});

/** The medians of the times that there are. */
const timesOf = (
  all: readonly { readonly [key in `p${50 | 95 | 99}Ms`]?: number | null | undefined }[],
) => {
  const of = (key: keyof (typeof all)[number]) =>
    median(all.map((one) => one[key] ?? null).filter((value) => value !== null));
  return { p50Ms: of('p50Ms'), p95Ms: of('p95Ms'), p99Ms: of('p99Ms') };
};

/** CPU times by name, added up and divided. */
const meanOf = (all: readonly CpuMicros[], divisor: number): CpuMicros => {
  const mean: Record<string, number> = {};
  for (const one of all)
    for (const [name, used] of Object.entries(one)) mean[name] = (mean[name] ?? 0) + used / divisor;
  return mean;
};

/** The middle value, the upper one of two; null of none. */
const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : percentile(values, 0.5);

const line = ({ name, perSecond, p50Ms, p95Ms, p99Ms, cpuMicros }: Measured): string => {
  const times = Object.entries({ p50: p50Ms, p95: p95Ms, p99: p99Ms })
    .filter(([, ms]) => ms !== null)
    .map(([key, ms]) => `${key} ${ms!.toFixed(1)} ms, `);
  const rate = Math.round(perSecond).toLocaleString('en');
  return `${name} ${rate}/s, ${times.join('')}${sumOf(cpuMicros).toFixed(1)} µs CPU`;
};
