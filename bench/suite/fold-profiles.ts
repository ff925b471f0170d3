import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../measuring/profile-names.ts';

/** V8's CPU profile, as far as it is read here. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** Returns folded stacks, one a line with its µs: `root;caller;callee 120`, the longest first. */
export const foldedStacks = ({ nodes, samples, timeDeltas }: CpuProfile): string => {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((c) => [c, id])));
  const names = new Map(nodes.map(({ id, callFrame }) => [id, frameName(callFrame)]));
  const stackOf = (id: number): string => {
    const parent = parents.get(id);
    return parent === undefined ? names.get(id)! : `${stackOf(parent)};${names.get(id)}`;
  };
  const micros = new Map<number, number>();
  samples.forEach((id, n) => {
    micros.set(id, (micros.get(id) ?? 0) + (timeDeltas[n] ?? 0));
  });
  const byStack = new Map<string, number>();
  for (const [id, used] of micros) {
    const stack = stackOf(id);
    byStack.set(stack, (byStack.get(stack) ?? 0) + used);
  }
  return [...byStack]
    .sort(([, a], [, b]) => b - a)
    .map(([stack, used]) => `${stack} ${used}\n`)
    .join('');
};

const frameName = ({ functionName, url, lineNumber }: CpuProfile['nodes'][number]['callFrame']) => {
  const name = functionName || '(anonymous)';
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`;
};

/**
 * Writes the folded stacks of each profile in the folder beside it, and names both by their process:
 * `orders.4711.cpuprofile`, `orders.4711.folded`; `other` for a process without a name.
 */
export const foldProfiles = (folder: string): void => {
  const names = namesIn(folder);
  for (const file of readdirSync(folder)) {
    const [, pid] = /^CPU\.\d+\.\d+\.(\d+)\..*\.cpuprofile$/.exec(file) ?? [];
    if (pid === undefined) continue;
    const name = `${names.get(pid) ?? 'other'}.${pid}`;
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile;
    writeFileSync(join(folder, `${name}.folded`), foldedStacks(profile));
    renameSync(join(folder, file), join(folder, `${name}.cpuprofile`));
  }
};
