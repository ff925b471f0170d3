/**
 * R4: from the request that creates an order to its webhook at the partner's receiver, through the
 * complete local stack, at a constant rate. `RATES=50,200 SECONDS=10 node bench/webhook-latency.ts`.
 * Requests are sent at their times whatever became of the ones before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { startReceiver } from '../e2e/receiver.ts';
import { call, orderWith } from './fairness/calls.ts';
import { cpuSince, stackCpu } from './http/processes.ts';
import { type Prepared, withStack } from './http/with-stack.ts';
import { percentile } from './percentile.ts';
import { cpuText } from './process-cpu.ts';
import { reporting } from './reporting.ts';
import { say } from './result.ts';
import { requireRows, requireStatus } from './void-run.ts';

const rates = (process.env.RATES ?? '50,200').split(',').map(Number);
const seconds = Number(process.env.SECONDS ?? 10);

const at = (values: readonly number[], share: number): string =>
  percentile(values, share).toFixed(0);

/** Creates orders at the rate. @returns when each was requested, by its id; how long requests took. */
const createOrders = async ({ baseUrl, key }: Prepared, perSecond: number) => {
  const requested = new Map<string, number>();
  const requestMs: number[] = [];
  const begun = performance.now();
  const running: Promise<void>[] = [];
  for (let n = 0; n < perSecond * seconds; n++) {
    const waitMs = begun + (n * 1000) / perSecond - performance.now();
    if (waitMs > 1) await sleep(waitMs);
    const sentAt = Date.now();
    const one = call(new URL(baseUrl).origin, 'POST', '/orders', key, orderWith(2));
    running.push(
      one.then(({ status, text, ms }) => {
        requireStatus(`POST /orders ${text}`, 201, status);
        requested.set(JSON.parse(text).id, sentAt);
        requestMs.push(ms);
      }),
    );
  }
  await Promise.all(running);
  return { requested, requestMs };
};

/** What one rate measures. @throws VoidRun where webhooks and orders differ in number. */
const measure = async (
  prepared: Prepared,
  received: Awaited<ReturnType<typeof startReceiver>>['received'],
  perSecond: number,
) => {
  const { stack } = prepared;
  received.length = 0;
  const before = stackCpu(stack.file());
  const begun = performance.now();
  const { requested, requestMs } = await createOrders(prepared, perSecond);
  const arrived = () => received.filter(({ body }) => requested.has(body.data.order.id));
  await until(() => arrived().length >= requested.size, {
    what: 'every webhook',
    deadlineMs: 120_000,
  });
  requireRows('webhooks', requested.size, arrived().length);
  const micros = Object.entries(cpuSince(before, stackCpu(stack.file())));
  const ms = arrived().map((one) => one.at - requested.get(one.body.data.order.id)!);
  say(`  response p50 ${at(requestMs, 0.5)} ms, p95 ${at(requestMs, 0.95)} ms`);
  const ours = {
    name: 'local stack',
    perSecond: (ms.length * 1000) / (performance.now() - begun),
    p50Ms: percentile(ms, 0.5),
    p95Ms: percentile(ms, 0.95),
    p99Ms: percentile(ms, 0.99),
    cpuMicros: Object.fromEntries(micros.map(([name, used]) => [name, used / requested.size])),
  };
  say(`  webhook received after p50 ${ours.p50Ms} ms, p95 ${ours.p95Ms} ms`);
  say(`  CPU µs: ${cpuText(ours.cpuMicros)}`);
  return ours;
};

await withStack(async (prepared) => {
  const { stack, baseUrl, key } = prepared;
  const receiver = await startReceiver(stack);
  const { origin } = new URL(baseUrl);
  const made = await call(origin, 'POST', '/webhooks', key, { url: receiver.url });
  if (made.status !== 201) throw new Error(`no endpoint: ${made.status} ${made.text}`);
  await createOrders(prepared, 5); // warm
  for (const perSecond of rates)
    await reporting(`R4: from the request to its webhook, ${perSecond}/s for ${seconds} s`, () =>
      measure(prepared, receiver.received, perSecond),
    );
  await receiver.stop();
});
