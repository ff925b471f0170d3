/**
 * R4: from the request that creates an order to its webhook at the partner's receiver, through the
 * complete local stack, at a constant rate. `RATES=50,200 SECONDS=10 node bench/webhook-latency.ts`;
 * ORGANIZATIONS (4) create the orders in turns, each with an endpoint, after WARM_SECONDS (15) at
 * 200/s.
 */
import { until } from '@pto/testing';
import type { Mesh } from '../e2e/mesh.ts';
import { startReceiver } from '../e2e/receiver.ts';
import { call } from './fairness/calls.ts';
import { cpuSince, stackCpu } from './http/processes.ts';
import { createOrganization, withStack } from './http/with-stack.ts';
import { createOrders } from './latency/constant-rate.ts';
import { percentile } from './measuring/percentile.ts';
import { cpuText } from './measuring/process-cpu.ts';
import { reporting } from './measuring/reporting.ts';
import { type Measured, say } from './measuring/result.ts';
import { requireRows } from './measuring/void-run.ts';

const rates = (process.env.RATES ?? '50,200').split(',').map(Number);
const seconds = Number(process.env.SECONDS ?? 10);
const warmSeconds = Number(process.env.WARM_SECONDS ?? 15);
const organizations = Number(process.env.ORGANIZATIONS ?? 4);

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const at = (values: readonly number[], share: number): string =>
  percentile(values, share).toFixed(0);

/** What one rate measures. @throws VoidRun where webhooks and orders differ in number. */
const measure = async (
  stack: Mesh,
  { received }: Receiver,
  keys: readonly string[],
  perSecond: number,
): Promise<Measured> => {
  received.length = 0;
  const before = stackCpu(stack.file());
  const begun = performance.now();
  const { origin } = new URL(stack.file().baseUrl);
  const { requested, requestMs } = await createOrders(origin, keys, { perSecond, seconds });
  const arrivals = () => {
    const ofThese = received.filter(({ body }) => requested.has(body.data.order.id));
    // the first arrival counts: a delivery can come twice
    return new Map(ofThese.toReversed().map((one) => [one.body.data.order.id as string, one.at]));
  };
  const every = { what: 'every webhook', deadlineMs: 120_000 };
  await until(() => arrivals().size === requested.size, every).catch(() => {});
  requireRows('webhooks', requested.size, arrivals().size);
  const micros = Object.entries(cpuSince(before, stackCpu(stack.file())));
  const ms = [...arrivals()].map(([id, arrivedAt]) => arrivedAt - requested.get(id)!);
  say(`  response p50 ${at(requestMs, 0.5)} ms, p95 ${at(requestMs, 0.95)} ms`);
  say(`  webhook received after p50 ${at(ms, 0.5)} ms, p95 ${at(ms, 0.95)} ms`);
  const cpuMicros = Object.fromEntries(micros.map(([name, used]) => [name, used / ms.length]));
  say(`  CPU µs: ${cpuText(cpuMicros)}`);
  return {
    name: 'local stack',
    perSecond: (ms.length * 1000) / (performance.now() - begun),
    p50Ms: percentile(ms, 0.5),
    p95Ms: percentile(ms, 0.95),
    p99Ms: percentile(ms, 0.99),
    cpuMicros,
  };
};

await withStack(async ({ stack, baseUrl, key }) => {
  const receiver = await startReceiver(stack);
  const { origin } = new URL(baseUrl);
  const keys = [key];
  while (keys.length < organizations) keys.push((await createOrganization(stack)).key);
  for (const one of keys) {
    const made = await call(origin, 'POST', '/webhooks', one, { url: receiver.url });
    if (made.status !== 201) throw new Error(`no endpoint: ${made.status} ${made.text}`);
  }
  // as many orders as V8 needs to compile what they run: cold, one order costs three times the CPU
  const { requested } = await createOrders(origin, keys, { perSecond: 200, seconds: warmSeconds });
  await until(() => receiver.received.length >= requested.size, {
    what: 'the webhooks of the first orders',
    deadlineMs: 120_000,
  });
  for (const perSecond of rates)
    await reporting(`R4: from the request to its webhook, ${perSecond}/s for ${seconds} s`, () =>
      measure(stack, receiver, keys, perSecond),
    );
  await receiver.stop();
});
