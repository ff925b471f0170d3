/**
 * R4: from the request that creates an order to its webhook at the partner's receiver, through the
 * complete local stack, at a constant rate. `RATES=50,200 SECONDS=10 node bench/webhook-latency.ts`;
 * ORGANIZATIONS (4) create the orders in turns, each with an endpoint, after WARM_SECONDS (15) at
 * 200/s. `OUTPOST=FOLDER` measures Outpost beside it (README.md).
 */
import { startReceiver } from '../e2e/receiver.ts';
import { create, orderWith } from './http/calls.ts';
import { stackProcesses, withStack } from './http/stack.ts';
import { type Sender, senderSide } from './latency/constant-rate.ts';
import { withOutpost } from './latency/outpost.ts';
import { compare } from './measuring/ratio.ts';

const rates = (process.env.RATES ?? '50,200').split(',').map(Number);
const seconds = Number(process.env.SECONDS ?? 10);
const warm = { perSecond: 200, seconds: Number(process.env.WARM_SECONDS ?? 15) };
const organizations = Number(process.env.ORGANIZATIONS ?? 4);

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
        { by: 'p95Ms', pairs: theirs ? 3 : 1, warmUpMs: 0, sampleMs: seconds * 1000 },
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
