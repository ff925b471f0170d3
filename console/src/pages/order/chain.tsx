import { type ChainEntry, verifyChain } from '@pto/custody-verifier';
import type { Entry } from '@pto/proto/custody/v1/custody';
import { useEffect, useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Problem } from '../../parts/problem.tsx';
import { ExactTime } from '../../parts/time.tsx';

/** Returns the entry in the form that partners see, whose hash this page recomputes. */
const entryOf = (entry: Entry): ChainEntry => ({
  id: entry.id,
  type: entry.type,
  internal_type: entry.internalType,
  ts_utc: entry.tsUtc,
  gps_lat: entry.gpsLat ?? null,
  gps_lng: entry.gpsLng ?? null,
  payload: entry.payloadJson === '' ? null : JSON.parse(entry.payloadJson),
  prev_event_hash: entry.prevEventHash,
  event_hash: entry.eventHash,
});

/**
 * The custody chain, recomputed in this browser: each entry with its hash, and the first one that
 * does not fit.
 * @param expected the number of the order's last event; later than the chain's end is a delay.
 */
export const Chain = ({ orderId, expected }: { orderId: string; expected: number }) => {
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
  const verdict = verifyChain(orderId, entries.map(entryOf));
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
