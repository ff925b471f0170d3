/**
 * What one order costs over its whole life: creation, nine events, nine webhooks, a proof. CPU time
 * of each process and bytes in each store, at a constant rate, through the complete local stack.
 * `RATE=12 SECONDS=60 node bench/order-life.ts`: 12 lives a second are a million a day.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { walkOrder } from '../e2e/load.ts';
import { startReceiver } from '../e2e/receiver.ts';
import { call, orderWith } from './fairness/calls.ts';
import { cpuSince, stackCpu } from './http/processes.ts';
import { type Prepared, withStack } from './http/with-stack.ts';
import { residentMiB } from './life/resident.ts';
import { bytesSince, storedBytes } from './life/stored-bytes.ts';
import { cpuText } from './measuring/process-cpu.ts';
import { requireRows, requireStatus } from './measuring/void-run.ts';

const perSecond = Number(process.env.RATE ?? 12);
const seconds = Number(process.env.SECONDS ?? 60);
const eventsOfLife = 9;
const dayMs = 86_400_000;

const say = (line: string) => process.stdout.write(`${line}\n`);

const live = async ({ stack, baseUrl, key }: Prepared): Promise<string> => {
  const { origin } = new URL(baseUrl);
  const { status, text } = await call(origin, 'POST', '/orders', key, orderWith(1));
  requireStatus(`POST /orders ${text}`, 201, status);
  const { id } = JSON.parse(text);
  await walkOrder(stack, id);
  return id;
};

/** Starts lives at the rate. @returns the ids of the orders after the last life has ended. */
const liveAtRate = async (prepared: Prepared, count: number): Promise<string[]> => {
  const begun = performance.now();
  const lives: Promise<string>[] = [];
  for (let n = 0; n < count; n++) {
    await sleep(Math.max(0, begun + (n * 1000) / perSecond - performance.now()));
    lives.push(live(prepared));
  }
  return Promise.all(lives);
};

await withStack(async (prepared) => {
  const { stack, baseUrl, key } = prepared;
  const { origin } = new URL(baseUrl);
  const receiver = await startReceiver(stack);
  const made = await call(origin, 'POST', '/webhooks', key, { url: receiver.url });
  requireStatus(`POST /webhooks ${made.text}`, 201, made.status);
  await liveAtRate(prepared, 5 * perSecond); // warm
  await until(() => receiver.received.length === 5 * perSecond * eventsOfLife, {
    what: 'the webhooks of the first lives',
  });
  receiver.received.length = 0;

  const count = perSecond * seconds;
  const [cpu, bytes, begun] = [stackCpu(stack.file()), await storedBytes(stack), performance.now()];
  const ids = await liveAtRate(prepared, count);
  const expected = count * eventsOfLife;
  const every = { what: 'every webhook', deadlineMs: 120_000 };
  await until(() => receiver.received.length >= expected, every).catch(() => {});
  requireRows('webhooks', expected, new Set(receiver.received.map((one) => one.delivery)).size);
  for (const id of ids) {
    const proof = await call(origin, 'GET', `/orders/${id}/custody/proof`, key);
    requireStatus(`proof of ${id}`, 200, proof.status);
  }
  const tookMs = performance.now() - begun;
  const used = cpuSince(cpu, stackCpu(stack.file()));
  const perLife = Object.fromEntries(Object.entries(used).map(([name, us]) => [name, us / count]));
  const total = Object.values(perLife).reduce((sum, us) => sum + us, 0);
  const stored = bytesSince(bytes, await storedBytes(stack), count);
  say(
    `${count} lives in ${(tookMs / 1000).toFixed(0)} s, ${((count * dayMs) / tookMs / 1e6).toFixed(2)} M a day`,
  );
  say(`CPU of one life: ${(total / 1000).toFixed(1)} ms; µs: ${cpuText(perLife)}`);
  say(`cores for 1 M a day: ${((total * 1e6) / (dayMs * 1000)).toFixed(2)}`);
  for (const [name, size] of Object.entries(stored))
    if (size >= 1) say(`bytes of one life, ${name}: ${size.toFixed(0)}`);
  say(`resident: ${residentMiB(stack.file())}`);
  await receiver.stop();
});
