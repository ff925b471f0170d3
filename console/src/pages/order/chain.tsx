import { verifyChain } from '@pto/custody-verifier';
import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { hashedEntryJson } from '@pto/representation';
import { useEffect, useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Entries, Verdict } from '../../parts/entries.tsx';
import { Waiting } from '../../parts/pending.tsx';
import { Downloads } from './downloads.tsx';

/**
 * The custody chain, recomputed in this browser: each entry with its hash, and the first one that
 * does not fit.
 * @param shown the order; a last event later than the chain's end is a delay. It has the values of
 *   personal fields, of which the payload has commitments alone.
 */
export const Chain = ({
  shown: { order, disclosures, operators },
}: {
  shown: ShowOrderResponse;
}) => {
  const { id: orderId, sequence: expected } = order!;
  const [isBehind, setBehind] = useState(false);
  const chain = useCall(
    ['order', orderId, 'chain', expected],
    () => clients.ledger.exportChain({ orderId, refresh: true }),
    { live: isBehind },
  );
  const stored = chain.data?.entries.length;
  useEffect(() => setBehind(stored !== undefined && stored < expected), [stored, expected]);
  if (!chain.data) return <Waiting label="Loading the custody chain" query={chain} />;
  const entries = chain.data.entries.map(({ entry }) => entry!);
  const verdict = verifyChain(orderId, entries.map(hashedEntryJson));
  const missing = expected - entries.length;
  return (
    <section aria-label="Custody chain">
      <div className="bar">
        <h2>Custody chain</h2>
        <Downloads orderId={orderId} />
      </div>
      <Verdict of={verdict} count={entries.length} />
      {missing > 0 && (
        <p className="faint">The ledger has not stored the last {missing} events yet.</p>
      )}
      <Entries
        brokenAt={verdict.valid ? undefined : verdict.index}
        of={entries.map((entry) => ({
          id: entry.id,
          type: entry.type,
          internalType: entry.internalType,
          at: entry.tsUtc,
          hash: entry.eventHash,
          disclosed: disclosures
            .filter((one) => one.entry === entry.sequence)
            .map(({ field, valueJson }) => [field, JSON.parse(valueJson)] as const),
          payload: entry.payloadJson === '' ? null : JSON.parse(entry.payloadJson),
          operator: operators.find((one) => one.entry === entry.sequence)?.name,
        }))}
      />
    </section>
  );
};
