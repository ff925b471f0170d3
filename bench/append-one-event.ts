/**
 * R5: appends by 100 callers with one event each: to the ledger against Tessera's POSIX driver, and to
 * the ledger's log alone against the same. `node bench/append-one-event.ts`; needs Go. LEAVES (10,000)
 * is the log's size before, EVENTS (16,384) those of a round, CHECKPOINT_MS (1,000, as in production)
 * the time between two checkpoints of either side.
 *
 * A round ends when all leaves are integrated. The times from a call until its leaf is integrated, and
 * until the first published checkpoint covers it, are printed beside the ratio.
 */
import { calledLedger } from './append/called-ledger.ts';
import { logAlone } from './append/log-alone.ts';
import { tesseraSide } from './append/tessera-side.ts';
import { compare } from './measuring/ratio.ts';
import { withStores } from './with-stores.ts';

const [leaves, events, intervalMs] = [
  Number(process.env.LEAVES ?? 10_000),
  Number(process.env.EVENTS ?? 16_384),
  Number(process.env.CHECKPOINT_MS ?? 1000),
];

await withStores(async () => {
  for (const [what, open] of [
    ['R5: one event a call, 100 callers, against Tessera', calledLedger],
    ['R5: the log alone, against Tessera', logAlone],
  ] as const) {
    const theirs = await tesseraSide(leaves, events, intervalMs);
    const ours = await open(leaves, events, intervalMs);
    try {
      await compare(what, ours, theirs);
    } finally {
      await ours.close();
      await theirs.close();
    }
  }
});
