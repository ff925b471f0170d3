import type { ShowOrderResponse } from '@pto/proto/orders/v1/commands';
import { hashedEntryJson } from '@pto/representation';
import { clients } from '../../calls/clients.ts';
import { Entries, Verdict } from '../../parts/entries.tsx';
import { ReadFile } from '../../parts/evidence/file.tsx';
import { NotReadAgain, Waiting } from '../../parts/pending.tsx';
import { Downloads } from './downloads.tsx';
import type { useChain } from './use-chain.ts';

/** The custody chain: each entry with its hash, and the first one that does not fit. */
export const Chain = ({
  shown: { order, disclosures, operators },
  chain: { query, entries, verdict, missing },
}: {
  shown: ShowOrderResponse;
  chain: ReturnType<typeof useChain>;
}) => {
  const orderId = order!.id;
  const read = async (sha256: string) =>
    (await clients.orders.exportArtifact({ orderId, sha256 })).content as Uint8Array<ArrayBuffer>;
  if (!query.data) return <Waiting label="Loading the custody chain" query={query} />;
  return (
    <section aria-label="Custody chain">
      <div className="bar">
        <h2>Custody chain</h2>
        <Downloads orderId={orderId} />
      </div>
      <NotReadAgain query={query} />
      {(entries.length > 0 || missing <= 0) && <Verdict of={verdict} count={entries.length} />}
      {missing > 0 && (
        <p className="faint">
          The ledger has not stored the last {missing === 1 ? 'event' : `${missing} events`} yet.
        </p>
      )}
      <ReadFile value={read}>
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
            payload: hashedEntryJson(entry).payload,
            operator: operators.find((one) => one.entry === entry.sequence)?.name,
          }))}
        />
      </ReadFile>
    </section>
  );
};
