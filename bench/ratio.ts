/** Measures two ways of doing one thing in one run, alternately, and tells their ratio. */

export interface Side {
  readonly name: string;
  /** Before each round, and not counted. */
  prepare?(): Promise<void>;
  /** One round of work. @returns how many operations it did. */
  round(): number | Promise<number>;
  /** After each round, and not counted: what it did is counted there, and cleared away. */
  finish?(): Promise<void>;
  /** The CPU time of the last round, where other processes than this one did it. */
  cpuMicros?(): number;
  /** The CPU time of the store's processes for the last round, known after `finish`. */
  storeMicros?(): number;
}

interface Sample {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly storeMicros: number;
}

const warmUpMs = Number(process.env.BENCH_WARM_MS ?? 2000);
const sampleMs = Number(process.env.BENCH_MS ?? 5000);
const pairs = 5;

/**
 * Ours and theirs in turns, each for some seconds after a warm-up; the ratio is the median of the
 * pairs'. Printed as a table, with the CPU time per operation of the process that did it, and of the
 * store where it is known.
 */
export const compare = async (what: string, ours: Side, theirs: Side): Promise<number> => {
  const json = process.argv.includes('--json');
  const say = (line: string) => (json ? process.stderr : process.stdout).write(`${line}\n`);
  say(what);
  await sample(ours, warmUpMs);
  await sample(theirs, warmUpMs);
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  for (let n = 1; n <= pairs; n++) {
    const [a, b] = [await sample(ours, sampleMs), await sample(theirs, sampleMs)];
    ratios.push(a.perSecond / b.perSecond);
    cpuRatios.push((b.cpuMicros + b.storeMicros) / (a.cpuMicros + a.storeMicros));
    say(
      `  ${n}/${pairs}  ${line(ours, a)}   ${line(theirs, b)}   ratio ${ratios.at(-1)!.toFixed(3)}`,
    );
  }
  ratios.sort((a, b) => a - b);
  const ratio = ratios[Math.floor(pairs / 2)]!;
  say(
    `  median ratio ${ratio.toFixed(3)} (${ratios[0]!.toFixed(3)} to ${ratios.at(-1)!.toFixed(3)})`,
  );
  cpuRatios.sort((a, b) => a - b);
  say(`  operations per CPU second: median ratio ${cpuRatios[Math.floor(pairs / 2)]!.toFixed(3)}`);
  if (json) process.stdout.write(`${JSON.stringify({ what, ratio, ratios })}\n`);
  return ratio;
};

const sample = async (side: Side, ms: number): Promise<Sample> => {
  let [done, tookMs, cpuMicros, storeMicros] = [0, 0, 0, 0];
  while (tookMs < ms) {
    await side.prepare?.();
    const [begun, cpu] = [performance.now(), process.cpuUsage()];
    done += await side.round();
    tookMs += performance.now() - begun;
    const { user, system } = process.cpuUsage(cpu);
    cpuMicros += side.cpuMicros?.() ?? user + system;
    await side.finish?.();
    storeMicros += side.storeMicros?.() ?? 0;
  }
  return {
    perSecond: (done * 1000) / tookMs,
    cpuMicros: cpuMicros / done,
    storeMicros: storeMicros / done,
  };
};

const line = ({ name }: Side, { perSecond, cpuMicros, storeMicros }: Sample): string =>
  `${name} ${Math.round(perSecond).toLocaleString('en')}/s, ${cpuMicros.toFixed(1)}${
    storeMicros > 0 ? ` + ${storeMicros.toFixed(1)}` : ''
  } µs CPU`;
