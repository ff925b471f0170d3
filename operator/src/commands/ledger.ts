import { verifyChain } from '@pto/custody-verifier';
import type { Fault, LogWalk, VerifyLogResponse } from '@pto/proto/custody/v1/custody';
import { ViolationState } from '@pto/proto/orders/v1/violations';
import { disclosedValues, hashedEntryJson, proofJson } from '@pto/representation';
import { progress } from '@pto/terminal';
import { Command, Option } from 'commander';
import { withLimit } from '../arguments.ts';
import { everyPage, type OpenClients } from '../clients.ts';
import { orderIdOf } from '../order-reference.ts';
import { violationShape } from '../order-shape.ts';
import { NotValid, orNull, print, printJson } from '../output.ts';

export const ledgerCommands = (open: OpenClients): Command => {
  const ledger = new Command('ledger').description('the custody ledger');
  ledger
    .command('verify')
    .description(
      'recompute every chain and the log, compare them with orders and the anchor; exit 1 if not valid',
    )
    .option('--order <id>', 'only this order')
    .action(async ({ order }, command) => {
      const tally: Tally = { orders: 0, entries: 0, leaves: 0, delayed: 0, faults: [] };
      const verdict = async () => {
        progress('');
        const { faults, ...counts } = tally;
        await print(command, { ...counts, valid: faults.length === 0, faults });
      };
      const orderId = order === undefined ? '' : await orderIdOf(open, order);
      await walkLedger(open, orderId, tally).catch(async (error) => {
        // If the verification itself fails, print a verdict only if a violation was already found.
        if (tally.faults.length > 0) await verdict();
        throw error;
      });
      await verdict();
      if (tally.faults.length > 0) throw new NotValid();
    });
  ledger
    .command('export <id>')
    .description('one chain with the canonical texts that were hashed')
    .action(async (id, _, command) => {
      const chain = await open().ledger.exportChain({ orderId: await orderIdOf(open, id) });
      const entries = chain.entries.map(({ entry }) => hashedEntryJson(entry!));
      const verdict = verifyChain(chain.orderId, entries);
      await print(command, {
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
  ledger
    .command('log')
    .description('the newest checkpoints of the log, and its witnesses')
    .action(async (_, command) => {
      const { checkpoints, witnesses, ...log } = await open().ledger.showLog({});
      await print(command, {
        origin: log.origin,
        size: Number(log.size),
        anchored_size: Number(log.anchoredSize),
        halted: orNull(log.halted),
        checkpoints: checkpoints.map(({ size, root, signedAt, anchored, witnesses: by }) => {
          return { size: Number(size), root, signed_at: signedAt, anchored, witnesses: by };
        }),
        witnesses: witnesses.map((witness) => ({
          name: witness.name,
          cosigned_size: Number(witness.cosignedSize),
          cosigned_at: orNull(witness.cosignedAt),
          seconds_behind: Math.round(witness.secondsBehind),
          failures: witness.failures,
        })),
      });
    });
  ledger
    .command('proof <id>')
    .description('the proof file of one order, which custody-verify reads')
    .action(async (reference) => {
      const orderId = await orderIdOf(open, reference);
      const { proof } = await open().ledger.exportProof({ orderId });
      const { disclosures } = await open().orders.showOrder({ orderId });
      const file = proofJson(orderId, proof!, disclosedValues(disclosures));
      await printJson(file);
    });
  withLimit(ledger.command('violations'))
    .description('integrity violations that the auditor found; open and acknowledged ones')
    .addOption(new Option('--state <state>', 'only in this state').choices(Object.keys(states)))
    .option('--order <id>', 'only of this order')
    .action(async ({ state, order, limit }, command) => {
      const orderId = order === undefined ? '' : await orderIdOf(open, order);
      const query = { state: states[state as keyof typeof states], orderId };
      const found = await everyPage(
        (pageToken) => open().violations.listViolations({ ...query, pageToken, pageSize: 1000 }),
        (page) => page.violations,
        limit,
      );
      await print(command, found.map(violationShape));
    });
  ledger
    .command('acknowledge <order>')
    .description('record that people looked at the open violations of an order; they alert no more')
    .requiredOption('--reason <text>', 'what was found out')
    .option('--violation', 'the argument is the id of one violation, e.g. of the log')
    .action(async (id, { reason, violation }, command) => {
      const { acknowledged } = await open().violations.acknowledgeViolations({
        ...(violation ? { id } : { orderId: await orderIdOf(open, id) }),
        reason,
      });
      await print(command, acknowledged.map(violationShape));
    });
  return ledger;
};

const states = {
  open: ViolationState.OPEN,
  acknowledged: ViolationState.ACKNOWLEDGED,
  resolved: ViolationState.RESOLVED,
};

interface Tally {
  orders: number;
  entries: number;
  /**
   * Number of verified leaves of the log; with --order, the number of entries that custody proved
   * to be in the anchored log.
   */
  leaves: number;
  /** Number of orders whose events the ledger has not stored yet: a delay, no violation. */
  delayed: number;
  readonly faults: { order_id: string | null; entry_id: string | null; reason: string }[];
}

/** Verifies the ledger page by page, so that each call is short, whatever the ledger's size. */
const walkLedger = async (open: OpenClients, orderId: string, tally: Tally): Promise<void> => {
  const found = ({ orderId: of, entryId, reason }: Fault) =>
    void tally.faults.push({ order_id: orNull(of), entry_id: orNull(entryId), reason });
  const report = () =>
    progress(
      `${tally.orders} orders, ${tally.entries} entries, ${tally.leaves} leaves, ${tally.faults.length} faults`,
    );
  let after = '';
  do {
    const page = await open().ledger.verifyChains({ orderId, afterOrderId: after });
    tally.orders += page.orders;
    tally.entries += Number(page.entries);
    tally.leaves += Number(page.leaves);
    tally.delayed += page.delayed;
    page.faults.forEach(found);
    after = page.nextOrderId;
    report();
  } while (after !== '');
  // with --order, do not verify the complete log: custody has already proved the entries against
  // the anchored log
  for (let walk: LogWalk | undefined, more = orderId === ''; more; more = walk !== undefined) {
    const page: VerifyLogResponse = await open().ledger.verifyLog(walk ? { walk } : {});
    tally.leaves += Number(page.leaves);
    page.faults.forEach(found);
    walk = page.next;
    report();
  }
};
