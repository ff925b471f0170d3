import { verifyChain } from '@pto/custody-verifier';
import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { disclosedValues, entryJson, hashedEntryJson } from '@pto/representation';
import { useEffect, useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';

/**
 * Reads the custody chain of an order, and recomputes it in this browser.
 * @param shown the order; a last event later than the chain's end is a delay. It has the values of
 *   personal fields, of which the payload has commitments alone.
 */
export const useChain = ({ order, disclosures }: ShowOrderResponse) => {
  const { id: orderId, sequence: expected } = order!;
  const [isBehind, setBehind] = useState(false);
  const query = useCall(
    ['order', orderId, 'chain', expected],
    () => clients.ledger.exportChain({ orderId, refresh: true }),
    { live: isBehind },
  );
  const stored = query.data?.entries.length;
  useEffect(() => setBehind(stored !== undefined && stored < expected), [stored, expected]);
  const entries = query.data?.entries.map(({ entry }) => entry!) ?? [];
  const verdict = verifyChain(orderId, entries.map(hashedEntryJson));
  const values = disclosedValues(disclosures);
  return {
    query,
    entries,
    verdict,
    /** Events of the order that the ledger has not stored yet. */
    missing: expected - entries.length,
    /**
     * The entries as JSON with disclosed values; none of a chain that does not fit together or that
     * cannot be read; undefined while it is read.
     */
    verified: query.isPending
      ? undefined
      : verdict.valid
        ? entries.map((entry) => entryJson(entry, values))
        : [],
  };
};
