/**
 * R4: from the request that creates an order to its webhook at the partner's receiver, through the
 * complete local stack, at a constant rate. `RATES=50,200 SECONDS=10 node bench/webhook-latency.ts`;
 * ORGANIZATIONS (4) create the orders in turns, each with an endpoint, after WARM_SECONDS (15) at
 * 200/s. `OUTPOST=FOLDER` measures Outpost beside it (README.md).
 */
import { until } from '@pto/testing';
import { startReceiver } from '../e2e/receiver.ts';
import { call } from './fairness/calls.ts';
import { cpuSince } from './http/processes.ts';
import { createOrganization, withStack } from './http/with-stack.ts';
import { sendAtRate } from './latency/constant-rate.ts';
import { withOutpost } from './latency/outpost-side.ts';
import type { Side } from './latency/side.ts';
import { stackSide } from './latency/stack-side.ts';
import { percentile } from './measuring/percentile.ts';
import { cpuText } from './measuring/process-cpu.ts';
import { reporting } from './measuring/reporting.ts';
import { type Measured, measuredOf, say } from './measuring/result.ts';
import { median, spreadOf } from './measuring/sample.ts';
import { requireRows } from './measuring/void-run.ts';

const rates = (process.env.RATES ?? '50,200').split(',').map(Number);
const seconds = Number(process.env.SECONDS ?? 10);
const warmSeconds = Number(process.env.WARM_SECONDS ?? 15);
const organizations = Number(process.env.ORGANIZATIONS ?? 4);

/** Folder with the programs of Outpost, the other side; without it only ours is measured. */
const outpost = process.env.OUTPOST;
const pairCount = 3;

interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
}

type Times = Measured & { readonly p95Ms: number };

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const at = (values: readonly number[], share: number): string =>
  percentile(values, share).toFixed(0);

/** Sends at the rate and waits for all webhooks. @throws VoidRun if some are missing. */
const measure = async (side: Side, { received }: Receiver, rate: Rate): Promise<Times> => {
  received.length = 0;
  const before = side.cpu();
  const begun = performance.now();
  const { requested, requestMs } = await sendAtRate(side, rate);
  const arrivals = () => {
    const ofThese = received.filter(({ body }) => requested.has(body.data.order.id));
    // the first arrival counts: a delivery can come twice
    return new Map(ofThese.toReversed().map((one) => [one.body.data.order.id as string, one.at]));
  };
  const every = { what: 'every webhook', deadlineMs: 120_000 };
  await until(() => arrivals().size === requested.size, every).catch(() => {});
  requireRows('webhooks', requested.size, arrivals().size);
  const micros = Object.entries(cpuSince(before, side.cpu()));
  const ms = [...arrivals()].map(([id, arrivedAt]) => arrivedAt - requested.get(id)!);
  say(`  ${side.name}: response p50 ${at(requestMs, 0.5)} ms, p95 ${at(requestMs, 0.95)} ms`);
  say(
    `    webhook received after p50 ${at(ms, 0.5)} ms, p95 ${at(ms, 0.95)} ms, p99 ${at(ms, 0.99)} ms`,
  );
  const cpuMicros = Object.fromEntries(micros.map(([name, used]) => [name, used / ms.length]));
  say(`    CPU µs: ${cpuText(cpuMicros)}`);
  return {
    name: side.name,
    perSecond: (ms.length * 1000) / (performance.now() - begun),
    p50Ms: percentile(ms, 0.5),
    p95Ms: percentile(ms, 0.95),
    p99Ms: percentile(ms, 0.99),
    cpuMicros,
  };
};

/** Measures both sides in turns. The ratio is that of the p95. */
const inTurns = (ours: Side, theirs: Side, receiver: Receiver, rate: Rate): Promise<void> =>
  reporting(`R4: p95 against Outpost, ${rate.perSecond}/s for ${rate.seconds} s`, async () => {
    const pairs: [Times, Times][] = [];
    while (pairs.length < pairCount)
      pairs.push([await measure(ours, receiver, rate), await measure(theirs, receiver, rate)]);
    const of = (n: 0 | 1): Measured => ({
      ...measuredOf(
        pairs[0]![n].name,
        pairs.map((pair) => pair[n]),
      ),
      p95Ms: median(pairs.map((pair) => pair[n].p95Ms))!,
    });
    const ratio = spreadOf(pairs.map(([a, b]) => a.p95Ms / b.p95Ms));
    say(`  ratio ${Object.values(ratio).map((value) => value.toFixed(3))}`);
    return { ours: of(0), theirs: of(1), ratio, sampleMs: rate.seconds * 1000 };
  });

await withStack(async ({ stack, baseUrl, key }) => {
  const receiver = await startReceiver(stack);
  const { origin } = new URL(baseUrl);
  const keys = [key];
  while (keys.length < organizations) keys.push((await createOrganization(stack)).key);
  for (const one of keys) {
    const made = await call(origin, 'POST', '/webhooks', one, { url: receiver.url });
    if (made.status !== 201) throw new Error(`no endpoint: ${made.status} ${made.text}`);
  }
  const ours = stackSide(stack, keys);
  // as many orders as V8 needs to compile what they run: cold, one order costs three times the CPU
  const { requested } = await sendAtRate(ours, { perSecond: 200, seconds: warmSeconds });
  await until(() => receiver.received.length >= requested.size, {
    what: 'the webhooks of the first orders',
    deadlineMs: 120_000,
  });
  if (!outpost) {
    for (const perSecond of rates)
      await reporting(`R4: from the request to its webhook, ${perSecond}/s for ${seconds} s`, () =>
        measure(ours, receiver, { perSecond, seconds }),
      );
  } else {
    await withOutpost(
      {
        binaries: outpost,
        stack,
        receiverUrl: receiver.url,
        body: receiver.received[0]!.body,
        tenants: organizations,
      },
      async (theirs) => {
        await measure(theirs, receiver, { perSecond: 200, seconds: warmSeconds });
        for (const perSecond of rates)
          await inTurns(ours, theirs, receiver, { perSecond, seconds });
      },
    );
  }
  await receiver.stop();
});
