/**
 * R4: from the request that creates an order to its webhook at the partner's receiver, through the
 * complete local stack, at a constant rate: four organizations in turns, each with an endpoint.
 * `node bench/webhook-latency.ts`; `OUTPOST=FOLDER` measures Outpost beside it (README.md).
 */
import { startReceiver } from '../e2e/receiver.ts';
import { create, orderWith } from './http/calls.ts';
import { stackProcesses, withStack } from './http/stack.ts';
import { type Sender, senderSide } from './latency/constant-rate.ts';
import { withOutpost } from './latency/outpost.ts';
import { compare } from './measuring/ratio.ts';

const goal = 'p50 30 ms, p95 50 ms';
const rates = [50, 200];
const seconds = 8;
const warm = { perSecond: 200, seconds: 15 };
const organizations = 4;
const how = { by: 'p95Ms', warmUpMs: 0, sampleMs: seconds * 1000 } as const;

/** Folder with the programs of Outpost, the other side; without it only ours is measured. */
const outpost = process.env.OUTPOST;

await withStack(async ({ stack, baseUrl, keys }) => {
  const receiver = await startReceiver(stack);
  const { received } = receiver;
  for (const key of keys) await create(baseUrl, '/webhooks', key, { url: receiver.url });
  const ours: Sender = {
    name: 'local stack',
    processes: stackProcesses(stack.file()),
    send: (n) => create(baseUrl, '/orders', keys[n % keys.length], orderWith(2)),
  };
  // as many orders as V8 needs to compile what they run: cold, one order costs three times the CPU
  await senderSide(ours, received, warm).round();
  const measure = async (theirs: Sender | null) => {
    if (theirs) await senderSide(theirs, received, warm).round();
    for (const perSecond of rates) {
      const rate = { perSecond, seconds };
      const what = theirs ? 'p95 against Outpost' : 'from the request to its webhook';
      await compare(
        `R4: ${what}, ${perSecond}/s for ${seconds} s`,
        senderSide(ours, received, rate),
        theirs && senderSide(theirs, received, rate),
        { ...how, ...(theirs ? { goal: 'at most 0.5', pairs: 3 } : { goal, pairs: 1 }) },
      );
    }
  };
  if (outpost) {
    const { body } = received[0]!;
    const settings = { binaries: outpost, stack, receiverUrl: receiver.url, body };
    await withOutpost({ ...settings, tenants: organizations }, measure);
  } else await measure(null);
  await receiver.stop();
}, organizations);
