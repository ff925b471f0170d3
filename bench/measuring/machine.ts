/** CPU time of this process with all its descendants, and of the complete machine (Linux). */
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type CpuMicros, cpuMicrosWithEnded, nameIn, parentIn, tickMicros } from './process-cpu.ts';

interface Running {
  readonly pid: number;
  readonly parent: number;
  readonly name: string;
  readonly micros: number;
}

const running = (): Running[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const [name, parent] = [nameIn(stat), parentIn(stat)];
        return [{ pid: Number(pid), parent, name, micros: cpuMicrosWithEnded(stat) }];
      } catch {
        return []; // it has ended
      }
    });

/** The process and its descendants. */
const treeOf = (root: number): Running[] => {
  const all = running();
  const known = new Set([root]);
  for (let size = 0; size < known.size; ) {
    size = known.size;
    for (const { pid, parent } of all) if (known.has(parent)) known.add(pid);
  }
  return all.filter(({ pid }) => known.has(pid));
};

/** Stores by the first letters of their commands. */
const storeNames = { postgres: 'postgres', 'redis-server': 'redis', java: 'kafka' };

/** CPU time of the stores that this process started, by name. */
export const storeCpu = (): CpuMicros => {
  const micros: Record<string, number> = {};
  for (const { name, micros: used } of treeOf(process.pid)) {
    const [, store] = Object.entries(storeNames).find(([start]) => name.startsWith(start)) ?? [];
    if (store !== undefined) micros[store] = (micros[store] ?? 0) + used;
  }
  return micros;
};

/** The same and that of this process, which is `node`. */
export const ownCpu = (): CpuMicros => {
  const { user, system } = process.cpuUsage();
  return { node: user + system, ...storeCpu() };
};

/** Time that the machine's cores have worked: user, nice, system, irq, softirq and steal. */
export const busyMicrosIn = (stat: string): number => {
  const [, user, nice, system, , , irq, softirq, steal] = stat.split('\n', 1)[0]!.split(/ +/);
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum, n) => sum + Number(n), 0);
  return ticks * tickMicros;
};

const reading = () => ({
  at: performance.now(),
  busy: busyMicrosIn(readFileSync('/proc/stat', 'utf8')),
  own: treeOf(process.pid).reduce((sum, { micros }) => sum + micros, 0),
});

/** The share of the machine that others took between two readings: 0 to 1. */
export const shareOfOthers = (
  before: ReturnType<typeof reading>,
  now: ReturnType<typeof reading>,
  cores: number,
): number => {
  const others = now.busy - before.busy - (now.own - before.own);
  return Math.min(1, Math.max(0, others / ((now.at - before.at) * 1000 * cores)));
};

/** Watches from now on; null where the system has no /proc. */
export const watchOthers = (): { share(): number | null } => {
  const begun = readingOrNull();
  return {
    share: () => {
      const now = begun && readingOrNull();
      return begun && now && shareOfOthers(begun, now, availableParallelism());
    },
  };
};

const readingOrNull = () => {
  try {
    return reading();
  } catch {
    return null;
  }
};
