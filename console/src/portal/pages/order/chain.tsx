import { Entries, Verdict } from '../../../parts/entries.tsx';
import { ReadFile } from '../../../parts/evidence/file.tsx';
import { NotReadAgain, Waiting } from '../../../parts/pending.tsx';
import { readFile } from '../../api.ts';
import type { useChain } from './use-chain.ts';

/** The custody chain, recomputed in this browser, with the proof and the certificate. */
export const Chain = ({
  orderId,
  chain: { query, entries, verdict },
}: {
  orderId: string;
  chain: ReturnType<typeof useChain>;
}) => {
  const read = (sha256: string) => readFile(`/orders/${orderId}/artifacts/${sha256}`);
  if (!query.data) return <Waiting label="Loading the custody chain" query={query} />;
  const custody = `/api/orders/${orderId}/custody`;
  return (
    <section aria-label="Custody chain">
      <h2>Custody chain</h2>
      <NotReadAgain query={query} />
      <Verdict of={verdict} count={entries.length} />
      <p className="downloads">
        <a href={`${custody}/proof`} download={`custody-proof-${orderId}.json`}>
          Download the proof
        </a>{' '}
        <a href={`${custody}/certificate`} download={`custody-certificate-${orderId}.html`}>
          Download the certificate
        </a>{' '}
        <span className="faint">
          Anyone can check the proof with <code>custody-verify</code>, without an account.
        </span>
      </p>
      <ReadFile value={read}>
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
      </ReadFile>
    </section>
  );
};
