import type { ReactNode } from 'react';
import { Entries, Verdict } from '../entries.tsx';
import { ReadFile } from '../evidence/file.tsx';
import { NotReadAgain, Waiting } from '../pending.tsx';
import { t } from '../words.ts';
import type { ShownOrder } from './source.ts';
import type { useChain } from './use-chain.ts';

/**
 * The custody chain: each entry with its hash, and the first one that does not fit.
 * @param children what saves the proof and the certificate.
 */
export const Chain = ({
  order,
  chain: { query, entries, verdict, missing },
  readFile,
  children,
}: {
  order: ShownOrder['order'];
  chain: ReturnType<typeof useChain>;
  readFile: Parameters<typeof ReadFile>[0]['value'];
  children: ReactNode;
}) => {
  if (!query.data) return <Waiting label={t('Loading the custody chain')} query={query} />;
  return (
    <section aria-label={t('Custody chain')}>
      <div className="bar">
        <h2>{t('Custody chain')}</h2>
        {children}
      </div>
      <NotReadAgain query={query} />
      {(entries.length > 0 || missing <= 0) && <Verdict of={verdict} count={entries.length} />}
      {missing > 0 && (
        <p className="faint">
          {missing === 1
            ? t('The ledger has not stored the last event yet.')
            : t('The ledger has not stored the last {missing} events yet.', { missing })}
        </p>
      )}
      <ReadFile value={readFile}>
        <Entries order={order} brokenAt={verdict.valid ? undefined : verdict.index} of={entries} />
      </ReadFile>
    </section>
  );
};
