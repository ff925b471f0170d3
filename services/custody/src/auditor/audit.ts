import type { Sql } from '@pto/database';
import type { Anchor } from '../anchor/anchor.ts';
import { contradiction } from '../log/checkpoints.ts';
import type { Fault } from '../verification/check-chain.ts';
import { CompactRange } from '../verification/compact-range.ts';
import { logFault } from '../verification/log-fault.ts';
import { type LogVerdict, type LogWalk, verifyLog } from '../verification/verify-log.ts';
import { type EvidenceSource, verifyPage } from '../verification/verify-page.ts';
import { auditSignatures } from './audit-signatures.ts';
import type { Memory } from './memory.ts';

const chainsPerPage = 200;

export interface Pass {
  readonly orders: number;
  readonly entries: number;
  readonly leaves: number;
  readonly faults: readonly Fault[];
  readonly memory: Memory;
}

/**
 * One pass over everything: all chains against themselves, orders and the log; the log against its
 * leaves, its checkpoints and the anchor; and all of it against what this auditor saw before. Page
 * by page, so that memory does not grow with the ledger.
 * @param went is told after each page how many entries were verified.
 */
export const audit = async (
  deps: { sql: Sql; evidence: EvidenceSource; anchor: Anchor },
  memory: Memory,
  went: (entries: number) => void,
  stopping: AbortSignal,
): Promise<Pass> => {
  const { sql, evidence, anchor } = deps;
  const faults: Fault[] = [];
  let [orders, entries] = [0, 0];
  for (let after: string | null = ''; after !== null; ) {
    stopping.throwIfAborted();
    const page: Awaited<ReturnType<typeof verifyPage>> = await verifyPage(sql, evidence, {
      orderId: '',
      afterOrderId: after,
      pageSize: chainsPerPage,
    });
    orders += page.orders;
    entries += page.entries;
    faults.push(...page.faults);
    went(page.entries);
    after = page.nextOrderId || null;
  }
  const range = new CompactRange();
  for (let walk: LogWalk | null = { range, anchor: null }; walk !== null; ) {
    stopping.throwIfAborted();
    const page: LogVerdict = await verifyLog(sql, anchor, walk);
    faults.push(...page.faults);
    walk = page.next;
  }
  const seen = memory.note && (await seenBefore(sql, range.size, memory.note));
  if (seen) faults.push(logFault(seen));
  const signatures = await auditSignatures(sql, memory);
  faults.push(...signatures.faults);
  // what contradicts the memory must not become it
  const learnt = seen ? memory : signatures.memory;
  return { orders, entries, leaves: range.size, faults, memory: learnt };
};

/** A tile that has gone is a fault of its own, and proves nothing here. */
const seenBefore = (sql: Sql, size: number, note: string): Promise<string | null> =>
  contradiction(sql, size, [note]).catch((error: Error) => error.message);
