/**
 * R4: from the request that creates an order to its webhook at the partner's receiver, through the
 * complete local stack, at a constant rate. `RATES=10,50,200 SECONDS=10 node bench/webhook-latency.ts`.
 * Requests are sent at their times whatever became of the ones before.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { startReceiver } from '../e2e/receiver.ts';
import { call, orderWith } from './fairness/calls.ts';
import { cpuSince, stackCpu } from './http/processes.ts';
import { type Prepared, withStack } from './http/with-stack.ts';
import { percentile } from './percentile.ts';

const rates = (process.env.RATES ?? '10,50,200').split(',').map(Number);
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
        if (status !== 201) throw new Error(`no order: ${status} ${text}`);
        requested.set(JSON.parse(text).id, sentAt);
        requestMs.push(ms);
      }),
    );
  }
  await Promise.all(running);
  return { requested, requestMs };
};

await withStack(async (prepared) => {
  const { stack, baseUrl, key } = prepared;
  const receiver = await startReceiver(stack);
  const { origin } = new URL(baseUrl);
  const made = await call(origin, 'POST', '/webhooks', key, { url: receiver.url });
  if (made.status !== 201) throw new Error(`no endpoint: ${made.status} ${made.text}`);
  await createOrders(prepared, 5); // warm
  for (const perSecond of rates) {
    receiver.received.length = 0;
    const cpu = stackCpu(stack.file());
    const { requested, requestMs } = await createOrders(prepared, perSecond);
    const arrived = () => receiver.received.filter(({ body }) => requested.has(body.data.order.id));
    await until(() => arrived().length >= requested.size, {
      what: 'every webhook',
      deadlineMs: 120_000,
    });
    const micros = Object.values(cpuSince(cpu, stackCpu(stack.file()))).reduce((a, b) => a + b, 0);
    const ms = arrived().map((one) => one.at - requested.get(one.body.data.order.id)!);
    process.stdout.write(
      `${perSecond}/s for ${seconds} s: webhook received after p50 ${at(ms, 0.5)} ms, p95 ${at(ms, 0.95)} ms; ` +
        `response p50 ${at(requestMs, 0.5)} ms, p95 ${at(requestMs, 0.95)} ms; ` +
        `CPU ${(micros / requested.size / 1000).toFixed(1)} ms an order\n`,
    );
  }
  await receiver.stop();
});
