/**
 * R5: appends by 100 callers with one event each: to the ledger against Tessera's POSIX driver, and to
 * the ledger's log alone against the same. `node bench/append-one-event.ts`; needs Go. CHECKPOINT_MS
 * (1,000, as in production) is the time between two checkpoints of either side.
 *
 * A round ends when all leaves are integrated. The times from a call until the first published
 * checkpoint covers its leaf are printed beside the ratio.
 */
import { calledLedger } from './append/called-ledger.ts';
import { logAlone } from './append/log-alone.ts';
import { tesseraSide } from './append/tessera-side.ts';
import { compare } from './measuring/ratio.ts';
import { withStores } from './with-stores.ts';

await withStores(async () => {
  for (const [what, open] of [
    ['R5: one event a call, 100 callers, against Tessera', calledLedger],
    ['R5: the log alone, against Tessera', logAlone],
  ] as const) {
    const theirs = await tesseraSide();
    const ours = await open();
    try {
      await compare(what, ours, theirs, { goal: 'at least 1' });
    } finally {
      await ours.close();
      await theirs.close();
    }
  }
});
