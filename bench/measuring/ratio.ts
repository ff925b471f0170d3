/** Measures two ways of doing one thing in one run, alternately, and reports their ratio. */
import { cpuText } from './process-cpu.ts';
import { reporting } from './reporting.ts';
import { type Measured, measuredOf, say } from './result.ts';
import { median, type Sample, type Side, sample, spreadOf, sumOf } from './sample.ts';
import { requireSameResponses } from './void-run.ts';

export type { Latency, Side } from './sample.ts';

const warmUpMs = Number(process.env.BENCH_WARM_MS ?? 2000);
const sampleMs = Number(process.env.BENCH_MS ?? 5000);
const pairs = 5;

/**
 * Ours and theirs in turns, each for some seconds after a warm-up; the ratio is the median of the
 * pairs', of operations per second or, by `p50`, of the operations' median time. Printed as a table
 * with the CPU time per operation. @returns the ratio, or NaN if the run is void (void-run.ts).
 */
export const compare = async (
  what: string,
  ours: Side,
  theirs: Side,
  { by = 'rate' }: { by?: 'rate' | 'p50' } = {},
): Promise<number> => {
  let result = Number.NaN;
  await reporting(what, async () => {
    const samples = await samplePairs(ours, theirs, by);
    const of = (side: Side, n: 0 | 1) =>
      measuredOf(
        side.name,
        samples.map((pair) => pair[n]),
      );
    const [a, b] = [of(ours, 0), of(theirs, 1)];
    const ratio = spreadOf(samples.map((pair) => ratioOf(pair, by)));
    const cpu = samples.map(([x, y]) => sumOf(y.cpuMicros) / sumOf(x.cpuMicros));
    const spread = `(${three(ratio.lowest)} to ${three(ratio.highest)})`;
    say(`  median ratio ${three(ratio.median)} ${spread}`);
    say(`  operations per CPU second: median ratio ${three(median(cpu)!)}`);
    for (const one of [a, b]) say(`  ${summary(one)}`);
    result = ratio.median;
    return { ours: a, theirs: b, ratio, sampleMs };
  });
  return result;
};

type Pair = readonly [ours: Sample, theirs: Sample];

const samplePairs = async (ours: Side, theirs: Side, by: 'rate' | 'p50'): Promise<Pair[]> => {
  const compareResponses = async () => {
    if (ours.response && theirs.response)
      requireSameResponses(await ours.response(), await theirs.response());
  };
  await compareResponses();
  await sample(ours, warmUpMs);
  await sample(theirs, warmUpMs);
  const samples: Pair[] = [];
  for (let n = 1; n <= pairs; n++) {
    const pair = [await sample(ours, sampleMs), await sample(theirs, sampleMs)] as const;
    samples.push(pair);
    const [a, b] = [line(ours, pair[0]), line(theirs, pair[1])];
    say(`  ${n}/${pairs}  ${a}   ${b}   ratio ${three(ratioOf(pair, by))}`);
  }
  await compareResponses();
  return samples;
};

const ratioOf = ([a, b]: Pair, by: 'rate' | 'p50'): number =>
  by === 'rate' ? a.perSecond / b.perSecond : a.p50Ms! / b.p50Ms!;

const three = (value: number): string => value.toFixed(3);

const line = ({ name }: Side, { perSecond, cpuMicros }: Sample): string =>
  `${name} ${Math.round(perSecond).toLocaleString('en')}/s, ${sumOf(cpuMicros).toFixed(1)} µs CPU`;

const summary = ({ name, p50Ms, p99Ms, cpuMicros }: Measured): string => {
  const times = p50Ms === null ? '' : `p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms!.toFixed(1)} ms; `;
  return `${name}: ${times}CPU µs: ${cpuText(cpuMicros)}`;
};
