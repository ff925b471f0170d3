import { verifyChain } from '@pto/custody-verifier';
import type { Disclosure } from '@pto/proto/orders/v1/orders';
import { hashedEntryJson } from '@pto/representation';
import { useEffect, useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { ExactTime } from '../../parts/time.tsx';

/** Returns a disclosed value as text. */
const wordsOf = (json: string): string => {
  const value: unknown = JSON.parse(json);
  return typeof value === 'string' ? value : json;
};

/**
 * The custody chain, recomputed in this browser: each entry with its hash, and the first one that
 * does not fit.
 * @param disclosures the values of personal fields, of which the payload has commitments alone.
 * @param expected the number of the order's last event; later than the chain's end is a delay.
 */
export const Chain = ({
  orderId,
  expected,
  disclosures,
}: {
  orderId: string;
  expected: number;
  disclosures: readonly Disclosure[];
}) => {
  const [isBehind, setBehind] = useState(false);
  const chain = useCall(
    ['order', orderId, 'chain', expected],
    () => clients.ledger.exportChain({ orderId, refresh: true }),
    { live: isBehind },
  );
  const stored = chain.data?.entries.length;
  useEffect(() => setBehind(stored !== undefined && stored < expected), [stored, expected]);
  if (!chain.data)
    return chain.error ? (
      <Problem error={chain.error} retry={chain.refetch} />
    ) : (
      <div className="skeleton" role="status" aria-label="Loading the custody chain" />
    );
  const entries = chain.data.entries.map(({ entry }) => entry!);
  const verdict = verifyChain(orderId, entries.map(hashedEntryJson));
  const missing = expected - entries.length;
  return (
    <section aria-label="Custody chain">
      <h2>Custody chain</h2>
      {verdict.valid ? (
        <p className="verdict good">
          Recomputed in this browser: {entries.length}{' '}
          {entries.length === 1 ? 'entry fits' : 'entries fit'} together.
        </p>
      ) : (
        <p className="verdict bad" role="alert">
          Entry {verdict.index + 1} does not fit: {verdict.reason}.
        </p>
      )}
      {missing > 0 && (
        <p className="faint">The ledger has not stored the last {missing} events yet.</p>
      )}
      <ol className="chain">
        {entries.map((entry, index) => (
          <li key={entry.id} className={verdict.valid || index < verdict.index ? 'fits' : 'broken'}>
            <div className="line">
              <strong>{entry.type.replace('order.', '').replaceAll('_', ' ')}</strong>
              <span className="faint">{entry.internalType}</span>
              <ExactTime at={entry.tsUtc} />
            </div>
            <code className="hash" title={entry.eventHash}>
              {entry.eventHash.slice(0, 16)}…
            </code>
            {disclosures
              .filter((one) => one.entry === entry.sequence)
              .map(({ field, valueJson }) => (
                <p key={field} className="disclosed">
                  {field.replaceAll('_', ' ')}: {wordsOf(valueJson)}
                </p>
              ))}
            {entry.payloadJson !== '' && (
              <details>
                <summary>Payload</summary>
                <pre>{JSON.stringify(JSON.parse(entry.payloadJson), null, 2)}</pre>
              </details>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
};
