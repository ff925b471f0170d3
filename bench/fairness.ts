/**
 * Fairness between organizations: ten calm ones, with and without those of fairness/hostile.ts, in
 * turns in one run on the local stack with real stores. `KEYS=8 node bench/fairness.ts`; KEYS (1) is
 * the number of keys of the organization at its budgets, ROUNDS and ROUND_MS set how often and how
 * long. LOADS (`all`) lists what is measured in each round: `all`, or the `lists`, the `orders` or
 * the `others` of fairness/hostile.ts alone. Prints p95 of GET and POST of the calm ones, their ratio, the responses of the others, each
 * program's CPU time, and the peak of each process's resident memory. The goal: each ratio under 2,
 * each process under 300 MiB, no refusal of the organization at its budgets.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalStack, startLocalStack } from '../e2e/local-stack.ts';
import { operatorClients } from '../e2e/operator.ts';
import { startReceiver } from '../e2e/receiver.ts';
import { createOrganization, scopes } from '../local/src/operators/organizations.ts';
import { startProgram } from './drain/program.ts';
import { type Latencies, p95, runCalm } from './fairness/calm.ts';
import type { Load } from './fairness/hostile.ts';
import { create, orderWith } from './http/calls.ts';
import { type CpuMicros, cpuNow, cpuSince, cpuText, nameProcess } from './measuring/process-cpu.ts';

const rounds = Number(process.env.ROUNDS ?? 4);
const roundMs = Number(process.env.ROUND_MS ?? 15_000);
const recoveryMs = 5000;
const calmCount = 10;
const heavyOrders = Number(process.env.HEAVY_ORDERS ?? 20);
const keyCount = Number(process.env.KEYS ?? 1);
const loads = (process.env.LOADS ?? 'all').split(',') as Load[];
const goalMebibytes = 300;
/** V8 takes half of resources.limits.memory of deploy/helm/service/values.yaml for its heap. */
const heapMebibytes = 384 / 2;

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Creates an organization with so many keys. */
const organization = async (stack: LocalStack, name: string, count: number): Promise<string[]> => {
  const { access } = operatorClients(stack);
  const { id, keys } = await createOrganization(access, name);
  const issued = [keys.all];
  const more = { organizationId: id, scopes: scopes.all.split(',') };
  while (issued.length < count) issued.push((await access.issueKey(more)).secret);
  return issued;
};

const prepare = async (stack: LocalStack) => {
  const { baseUrl } = stack.file();
  const calm: string[] = [];
  for (let n = 0; n < calmCount; n++) calm.push(...(await organization(stack, `Calm ${n}`, 1)));
  const hostile = await organization(stack, 'At its budgets', keyCount);
  const hanging = await startReceiver(stack);
  hanging.state.status = null; // passes the handshake and never responds to a delivery
  for (let n = 0; n < 5; n++)
    await create(baseUrl, '/webhooks', hostile[0], { url: `${hanging.url}/${n}` });
  for (let n = 0; n < heavyOrders; n++)
    await create(baseUrl, '/orders', hostile[n % hostile.length], orderWith(13_500));
  await sleep(60_000); // the budgets of writes are complete again
  for (const key of calm)
    for (let n = 0; n < 10; n++) await create(baseUrl, '/orders', key, orderWith(2));
  return { baseUrl, calm, hostile, hanging };
};

/** Percent of one core that each program took in a round; `node` are the calm clients. */
const shares = (used: CpuMicros): string =>
  cpuText(
    Object.fromEntries(
      Object.entries(used).map(([name, micros]) => [name, micros / (10 * roundMs)]),
    ),
  );

const merged = (all: readonly Latencies[]): Latencies => ({
  GET: all.flatMap(({ GET }) => GET),
  POST: all.flatMap(({ POST }) => POST),
  failed: all.flatMap(({ failed }) => failed),
});

/** Prints what a load costs the calm organizations. */
const report = (load: Load, without: Latencies, beside: Latencies): void => {
  for (const method of ['GET', 'POST'] as const) {
    const [a, b] = [p95(without[method]), p95(beside[method])];
    say(
      `${load}: ${method} p95 ${a.toFixed(1)} ms without, ${b.toFixed(1)} ms with it: ratio ${(b / a).toFixed(2)} (${without[method].length} and ${beside[method].length} requests)`,
    );
  }
  say(
    `${load}: responses to calm requests that are no 2xx: ${without.failed.length} without, ${beside.failed.length} with (${[...new Set(beside.failed)].join(', ')})`,
  );
};

const stack = await startLocalStack({
  env: { NODE_OPTIONS: `--max-old-space-size=${heapMebibytes}` },
});
try {
  const { baseUrl, calm, hostile, hanging } = await prepare(stack);
  const services = stack.file().services;
  for (const { pid, name } of services) nameProcess(pid, name);
  const program = startProgram('../fairness/hostile.ts', { baseUrl, keys: hostile });
  await runCalm(baseUrl, calm, 3000);
  for (const { pid } of services) writeFileSync(`/proc/${pid}/clear_refs`, '5'); // forgets the peaks
  const without: Latencies[] = [];
  const beside = new Map(loads.map((load) => [load, [] as Latencies[]]));
  for (let n = 1; n <= rounds; n++) {
    if (n > 1) await runCalm(baseUrl, calm, recoveryMs); // what the hostile one left is done by then
    const begun = cpuNow();
    const calmly = await runCalm(baseUrl, calm, roundMs);
    without.push(calmly);
    say(
      `  ${n}/${rounds}  GET ${p95(calmly.GET).toFixed(0)} ms   POST ${p95(calmly.POST).toFixed(0)} ms`,
    );
    say(`    % of a core: ${shares(cpuSince(begun))}`);
    for (const [m, load] of loads.entries()) {
      if (m > 0) await runCalm(baseUrl, calm, recoveryMs);
      const turned = cpuNow();
      program.send(`on ${load}`);
      const harassed = await runCalm(baseUrl, calm, roundMs);
      beside.get(load)!.push(harassed);
      const used = cpuSince(turned);
      const counts = program.received<Record<string, number>>();
      program.send('off');
      say(
        `    ${load}: GET ${p95(harassed.GET).toFixed(0)} ms   POST ${p95(harassed.POST).toFixed(0)} ms   ${JSON.stringify(await counts)}`,
      );
      say(`      % of a core: ${shares(used)}`);
    }
  }
  for (const [load, all] of beside) report(load, merged(without), merged(all));
  for (const { name, replica, pid } of services) {
    const [, kib] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))!;
    const mebibytes = Math.round(Number(kib) / 1024);
    const fault = mebibytes > goalMebibytes ? `, over the goal of ${goalMebibytes}` : '';
    say(`${name} ${replica}: peak ${mebibytes} MiB${fault}`);
  }
  program.close();
  await hanging.stop();
} finally {
  await stack.stop();
  stack.forget();
}
