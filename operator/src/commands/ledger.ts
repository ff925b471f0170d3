import { type ChainEntry, verifyChain } from '@pto/custody-verifier';
import type { Entry, Fault, LogWalk, VerifyLogResponse } from '@pto/proto/custody/v1/custody';
import { Command } from 'commander';
import type { OpenClients } from '../clients.ts';
import { NotValid, orNull, print, progress } from '../output.ts';

export const ledgerCommands = (open: OpenClients): Command => {
  const ledger = new Command('ledger').description('the custody ledger');
  ledger
    .command('verify')
    .description(
      'recompute every chain and the log over them, and compare them with what orders and the anchor know; exit 1 if not valid',
    )
    .option('--order <id>', 'only this order')
    .action(async ({ order }, command) => {
      const tally: Tally = { orders: 0, entries: 0, leaves: 0, faults: [] };
      const verdict = () => {
        progress('');
        const { faults, ...counts } = tally;
        print(command, { ...counts, valid: faults.length === 0, faults });
      };
      await walkLedger(open, order ?? '', tally).catch((error) => {
        // a walk that broke off is no verdict, unless it has found something
        if (tally.faults.length > 0) verdict();
        throw error;
      });
      verdict();
      if (tally.faults.length > 0) throw new NotValid();
    });
  ledger
    .command('export <id>')
    .description('one chain with the canonical texts that were hashed')
    .action(async (id, _, command) => {
      const chain = await open().ledger.exportChain({ orderId: id });
      const entries = chain.entries.map(({ entry }) => entryOf(entry!));
      const verdict = verifyChain(chain.orderId, entries);
      print(command, {
        order_id: chain.orderId,
        organization_id: chain.organizationId,
        valid: verdict.valid,
        fault: verdict.valid ? null : { entry_id: verdict.entryId, reason: verdict.reason },
        entries: chain.entries.map(({ entry, canonicalText }, n) => ({
          sequence: entry?.sequence,
          ...entries[n],
          canonical_text: canonicalText,
        })),
      });
    });
  return ledger;
};

/** As `GET /orders/{id}/events` answers it, so that the same verifier judges it. */
const entryOf = (entry: Entry): ChainEntry => ({
  id: entry.id,
  type: entry.type,
  internal_type: entry.internalType,
  ts_utc: entry.tsUtc,
  gps_lat: entry.gpsLat ?? null,
  gps_lng: entry.gpsLng ?? null,
  payload: entry.payloadJson ? JSON.parse(entry.payloadJson) : null,
  prev_event_hash: entry.prevEventHash,
  event_hash: entry.eventHash,
});

interface Tally {
  orders: number;
  entries: number;
  leaves: number;
  readonly faults: { order_id: string | null; entry_id: string | null; reason: string }[];
}

/** Page by page, so that each call is short, whatever the ledger's size. */
const walkLedger = async (open: OpenClients, orderId: string, tally: Tally): Promise<void> => {
  const found = ({ orderId: of, entryId, reason }: Fault) =>
    void tally.faults.push({ order_id: orNull(of), entry_id: orNull(entryId), reason });
  const told = () =>
    progress(
      `${tally.orders} orders, ${tally.entries} entries, ${tally.leaves} leaves, ${tally.faults.length} faults`,
    );
  let after = '';
  do {
    const page = await open().ledger.verifyChains({ orderId, afterOrderId: after });
    tally.orders += page.orders;
    tally.entries += Number(page.entries);
    page.faults.forEach(found);
    after = page.nextOrderId;
    told();
  } while (after !== '');
  // the log over all chains, and its anchor, are looked at as a whole, or not at all
  for (let walk: LogWalk | undefined, more = orderId === ''; more; more = walk !== undefined) {
    const page: VerifyLogResponse = await open().ledger.verifyLog(walk ? { walk } : {});
    tally.leaves += Number(page.leaves);
    page.faults.forEach(found);
    walk = page.next;
    told();
  }
};
