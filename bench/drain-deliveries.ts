/**
 * R3: a backlog of signed deliveries drained over TLS, a row kept of each attempt, against BullMQ
 * with undici doing the same posts. `node bench/drain-deliveries.ts`.
 *
 * What we do and BullMQ does not do here: order per order and endpoint, places per endpoint and
 * organization, judged addresses, health. What it does and we do not: keep the queue in memory. Its
 * Redis has synced to its disk what it acknowledges, as our database has.
 */
import { makeAuthority } from '@pto/testing';
import { bullmqSide } from './drain/bullmq-side.ts';
import { delivererSide } from './drain/deliverer-side.ts';
import { startProgram } from './drain/program.ts';
import { compare } from './measuring/ratio.ts';
import { withStores } from './with-stores.ts';

await withStores(async () => {
  const authority = makeAuthority();
  const { caFile, certFile, keyFile } = authority;
  const receiver = startProgram('receiver.ts', { certFile, keyFile });
  const workload = {
    backlog: 10_000,
    payload: Buffer.from(JSON.stringify({ event: 'order.sealed', filler: 'x'.repeat(500) })),
    receiverUrl: `https://localhost:${await receiver.received<number>()}/hooks`,
    caFile,
  };
  const ours = await delivererSide(workload);
  try {
    const theirs = await bullmqSide(workload);
    const what = `R3: drain of ${workload.backlog.toLocaleString('en')} due deliveries over TLS against ${theirs.name}`;
    await compare(what, ours, theirs, { goal: 'at least 1.5' }).finally(theirs.close);
  } finally {
    await ours.close();
    receiver.close();
    authority.forget();
  }
});
