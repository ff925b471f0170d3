import { verifyChain } from '@pto/custody-verifier';
import { useCall } from '../../../calls/use-call.ts';
import { Entries, Verdict } from '../../../parts/entries.tsx';
import { Waiting } from '../../../parts/pending.tsx';
import { read, type Schemas } from '../../api.ts';
import { paced } from '../../pace.ts';

const recentMs = 15_000;

/**
 * The custody chain, recomputed in this browser, with the proof and the certificate.
 * @param changedAt time of the order's last change, after which the ledger stores an entry.
 */
export const Chain = ({ orderId, changedAt }: { orderId: string; changedAt: string }) => {
  const isRecent = Date.now() - Date.parse(changedAt) < recentMs;
  const chain = useCall(
    ['order', orderId, 'chain', changedAt],
    () => read<Schemas['CustodyEntry'][]>(`/orders/${orderId}/events`),
    { live: isRecent, everyMs: paced(2000) },
  );
  if (!chain.data) return <Waiting label="Loading the custody chain" query={chain} />;
  const entries = chain.data;
  const verdict = verifyChain(orderId, entries as Parameters<typeof verifyChain>[1]);
  const custody = `/api/orders/${orderId}/custody`;
  return (
    <section aria-label="Custody chain">
      <h2>Custody chain</h2>
      <Verdict of={verdict} count={entries.length} />
      <p className="downloads">
        <a href={`${custody}/proof`} download={`custody-proof-${orderId}.json`}>
          Proof
        </a>{' '}
        <a href={`${custody}/certificate`} download={`custody-certificate-${orderId}.html`}>
          Certificate
        </a>{' '}
        <span className="faint">
          Anyone can check the proof with <code>custody-verify</code>, without an account.
        </span>
      </p>
      <Entries
        brokenAt={verdict.valid ? undefined : verdict.index}
        of={entries.map((entry) => ({
          id: entry.id,
          type: entry.type,
          internalType: entry.internal_type,
          at: entry.ts_utc,
          hash: entry.event_hash,
          disclosed: Object.entries(entry.disclosed ?? {}).map(
            ([field, { value }]) => [field, value] as const,
          ),
          payload: entry.payload ?? null,
        }))}
      />
    </section>
  );
};
