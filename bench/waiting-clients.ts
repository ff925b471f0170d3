/**
 * What clients cost that wait for events (`GET /events?wait=25`) while nothing happens: CPU time,
 * memory and transactions of the local stack without and with them, and how long an event takes to
 * all clients of its organization. `CLIENTS=2000 SECONDS=30 HEAP_MIB=192 node bench/waiting-clients.ts`.
 */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { asSuperuser } from '../e2e/as-superuser.ts';
import type { LocalStack } from '../e2e/local-stack.ts';
import { create, orderWith } from './fairness/calls.ts';
import { stackProcesses, withStack } from './http/stack.ts';
import { collectionText, heapUse } from './measuring/gateway-heap.ts';
import { percentile } from './measuring/percentile.ts';
import { cpuNow, cpuSince, cpuText } from './measuring/process-cpu.ts';
import { say } from './measuring/report.ts';
import { residentMiB } from './measuring/resident-memory.ts';

const clientCount = Number(process.env.CLIENTS ?? 2000);
const seconds = Number(process.env.SECONDS ?? 30);
/** At most 64 requests of an organization wait. */
const perOrganization = 50;
const counted = ['gateway', 'custody', 'postgres'];
const settleMs = 10_000;

/**
 * The heap of each process: V8 takes half of resources.limits.memory of
 * deploy/helm/service/values.yaml, and a young generation that is small beside it. With the first
 * flag alone, the young generation is as large as this machine allows, and V8 collects all of the
 * heap in its place.
 */
const heapMebibytes = Number(process.env.HEAP_MIB ?? 384 / 2);
const semiSpaceMebibytes = Number(process.env.SEMI_SPACE_MIB ?? 2);

/** The clients have one address. */
const settings = {
  GATEWAY_CONNECTIONS: `${clientCount + 500}`,
  GATEWAY_CONNECTIONS_PER_ADDRESS: `${clientCount + 500}`,
  NODE_OPTIONS: `--max-old-space-size=${heapMebibytes} --max-semi-space-size=${semiSpaceMebibytes}`,
};

/** Transactions of a database so far; a statement outside of a transaction counts as one. */
const transactions = (stack: LocalStack, database: 'access' | 'custody'): Promise<number> =>
  asSuperuser(stack, database, async (client) => {
    const { rows } = await client.query(
      'select xact_commit::float8 as n from pg_stat_database where datname = current_database()',
    );
    return rows[0].n;
  });

const measure = async (stack: LocalStack, what: string): Promise<void> => {
  const { metricsUrl } = stack.file().services.find(({ name }) => name === 'gateway')!;
  const read = () =>
    Promise.all([
      transactions(stack, 'custody'),
      transactions(stack, 'access'),
      cpuNow(),
      heapUse(metricsUrl),
    ]);
  const [custody, access, cpu, heap] = await read();
  await sleep(seconds * 1000);
  const [custodyAfter, accessAfter, , heapAfter] = await read();
  const used = Object.entries(cpuSince(cpu, counted)).map(
    ([name, micros]) => [name, micros / (seconds * 10_000)] as const,
  );
  say(`${what}: percent of a core: ${cpuText(Object.fromEntries(used))}`);
  say(`${what}: MiB: ${cpuText(residentMiB(counted))}`);
  say(
    `${what}: gateway: ${heapAfter.usedMiB.toFixed(0)} MiB of heap in use, garbage collection in percent of a core: ${collectionText(heap, heapAfter, seconds)}`,
  );
  const rate = (before: number, after: number) => ((after - before) / seconds).toFixed(1);
  say(
    `${what}: transactions a second: custody ${rate(custody, custodyAfter)}, access ${rate(access, accessAfter)}`,
  );
};

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });

/** One long poll. @returns the number of its events. */
const poll = (baseUrl: string, key: string, after: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}` };
    get(`${baseUrl}/events?after=${after}&wait=25`, { agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.once('end', () => {
        if (response.statusCode !== 200) reject(new Error(`${response.statusCode}: ${text}`));
        else resolve(JSON.parse(text).data.length);
      });
    }).once('error', reject);
  });

/** Returns the number of the newest event, which the response to one beyond it names. */
const newest = async (baseUrl: string, key: string): Promise<number> => {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${baseUrl}/events?after=${Number.MAX_SAFE_INTEGER}`, { headers });
  const { detail } = (await response.json()) as { detail: { ctx: { newest: number } }[] };
  return detail[0]!.ctx.newest;
};

await withStack(
  async ({ stack, baseUrl, keys }) => {
    say(`processes: ${stackProcesses(stack.file()).length}, measured for ${seconds} s each`);
    await sleep(settleMs);
    await measure(stack, 'no client');

    let [on, polls, early] = [true, 0, 0];
    const client = async (n: number): Promise<void> => {
      await sleep((n / clientCount) * settleMs); // they do not begin at once
      const key = keys[n % keys.length]!;
      const after = await newest(baseUrl, key);
      while (on) {
        const begun = performance.now();
        polls++;
        await poll(baseUrl, key, after);
        if (on && performance.now() - begun < 20_000) early++;
      }
    };
    const clients = Array.from({ length: clientCount }, (_, n) => client(n));
    await sleep(2 * settleMs);
    await measure(stack, `${clientCount} clients`);
    say(`${polls} long polls, of which ${early} ended early`);
    on = false;
    await Promise.all(clients);

    // an organization with one order, whose event is known
    const key = keys[1]!;
    const waits: number[] = [];
    let ready = 0;
    const woken = Array.from({ length: perOrganization }, async () => {
      ready++;
      const events = await poll(baseUrl, key, 1);
      waits.push(performance.now());
      if (events === 0) throw new Error('a page without an event');
    });
    await until(() => ready === perOrganization, { what: 'the clients' });
    await sleep(1000);
    await create(baseUrl, '/orders', key, orderWith(2));
    const committed = performance.now();
    await Promise.all(woken);
    const took = waits.map((at) => at - committed);
    say(
      `an event to ${perOrganization} clients of its organization: p50 ${percentile(took, 0.5).toFixed(0)} ms, p95 ${percentile(took, 0.95).toFixed(0)} ms`,
    );
    agent.destroy();
  },
  Math.ceil(clientCount / perOrganization),
  settings,
);
