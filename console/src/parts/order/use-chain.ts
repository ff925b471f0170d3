import { verifyChain } from '@pto/custody-verifier';
import { useEffect, useState } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { changedAt, type OrderSource, type ShownOrder } from './source.ts';

const recentMs = 15_000;

/**
 * Reads the custody chain of an order, and recomputes it in this browser. The ledger stores an entry
 * later than the order changes: the chain is read again until it has all events, or for a while if
 * their number is unknown.
 */
export const useChain = <Own, Chain>(
  source: OrderSource<Own, Chain>,
  { order, events, own }: ShownOrder<Own>,
) => {
  const [isBehind, setBehind] = useState(false);
  const isRecent = Date.now() - Date.parse(changedAt(order)) < recentMs;
  const query = useCall(
    ['order', order.id, 'chain', events ?? changedAt(order)],
    () => source.chain(order.id),
    { live: events === undefined ? isRecent : isBehind, everyMs: source.everyMs?.chain },
  );
  const entries = query.data === undefined ? [] : source.entriesOf(query.data, own);
  /** Events of the order that the ledger has not stored yet. */
  const missing = events === undefined ? 0 : events - entries.length;
  const isRead = query.data !== undefined;
  useEffect(() => setBehind(isRead && missing > 0), [isRead, missing]);
  const asPartners = entries.map(({ operator, ...entry }) => entry);
  const verdict = verifyChain(order.id, asPartners as Parameters<typeof verifyChain>[1]);
  return {
    query,
    entries,
    verdict,
    missing,
    /**
     * The entries; none of a chain that does not fit together or that cannot be read; undefined
     * while it is read.
     */
    verified: query.isPending ? undefined : verdict.valid ? entries : [],
  };
};
