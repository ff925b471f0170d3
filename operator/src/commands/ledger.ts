import { Command } from 'commander';
import type { OpenClients } from '../clients.ts';
import { NotValid, orNull, print, progress } from '../output.ts';

export const ledgerCommands = (open: OpenClients): Command => {
  const ledger = new Command('ledger').description('the custody ledger');
  ledger
    .command('verify')
    .description('recompute every chain and compare it with what orders knows; exit 1 if not valid')
    .option('--order <id>', 'only this order')
    .action(async ({ order }, command) => {
      const verdict = await verify(open, order ?? '');
      print(command, verdict);
      if (!verdict.valid) throw new NotValid();
    });
  ledger
    .command('export <id>')
    .description('one chain with the canonical texts that were hashed')
    .action(async (id, _, command) => {
      const chain = await open().ledger.exportChain({ orderId: id });
      print(command, {
        order_id: chain.orderId,
        organization_id: chain.organizationId,
        entries: chain.entries.map(({ entry, canonicalText }) => ({
          sequence: entry?.sequence,
          id: entry?.id,
          type: entry?.type,
          internal_type: entry?.internalType,
          ts_utc: entry?.tsUtc,
          gps_lat: entry?.gpsLat ?? null,
          gps_lng: entry?.gpsLng ?? null,
          payload: entry?.payloadJson ? JSON.parse(entry.payloadJson) : null,
          prev_event_hash: entry?.prevEventHash,
          event_hash: entry?.eventHash,
          canonical_text: canonicalText,
        })),
      });
    });
  return ledger;
};

const verify = async (open: OpenClients, orderId: string) => {
  let orders = 0;
  let entries = 0n;
  const faults: { order_id: string; entry_id: string | null; reason: string }[] = [];
  let after = '';
  do {
    const page = await open().ledger.verifyChains({ orderId, afterOrderId: after });
    orders += page.orders;
    entries += page.entries;
    for (const fault of page.faults)
      faults.push({
        order_id: fault.orderId,
        entry_id: orNull(fault.entryId),
        reason: fault.reason,
      });
    after = page.nextOrderId;
    progress(`${orders} orders, ${entries} entries, ${faults.length} faults`);
  } while (after !== '');
  progress('');
  return { orders, entries: Number(entries), valid: faults.length === 0, faults };
};
