/**
 * What a local stack costs that does nothing: CPU time of each process in percent of one core, and
 * resident memory. It has one organization and 60 orders, and settles before it is measured.
 * `SECONDS=30 node bench/idle-stack.ts`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSince, stackCpu } from './http/processes.ts';
import { withStack } from './http/with-stack.ts';
import { residentMiB } from './life/resident.ts';

const settleMs = 15_000;
const seconds = Number(process.env.SECONDS ?? 30);

const say = (line: string) => process.stdout.write(`${line}\n`);

await withStack(async ({ stack }) => {
  await sleep(settleMs);
  const [before, begun] = [stackCpu(stack.file()), performance.now()];
  await sleep(seconds * 1000);
  const used = cpuSince(before, stackCpu(stack.file()));
  const tookUs = (performance.now() - begun) * 1000;
  const shares = Object.entries(used).map(([name, us]) => [name, (us / tookUs) * 100] as const);
  for (const [name, percent] of shares) say(`${name}: ${percent.toFixed(1)} % of a core`);
  say(`sum: ${shares.reduce((sum, [, percent]) => sum + percent, 0).toFixed(1)} % of a core`);
  say(`resident: ${residentMiB(stack.file())}`);
});
