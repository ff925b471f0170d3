import { toneOf } from './badge.tsx';
import { holderOf } from './holder.ts';
import { Text } from './text.tsx';
import { t } from './words.ts';

/** Who has the goods now. @param entries of the verified chain; undefined: it is being read. */
export const CustodyNow = ({
  order,
  entries,
}: {
  order: Parameters<typeof holderOf>[0];
  entries: readonly unknown[] | undefined;
}) => (
  <section aria-label={t('Custody now')} className={`holder ${toneOf(order.status)}`}>
    <h2>{t('Who holds it')}</h2>
    <p>
      {entries ? (
        <strong>
          <Text of={holderOf(order, entries)} />
        </strong>
      ) : (
        <span className="faint">{t('Reading the custody chain …')}</span>
      )}
    </p>
  </section>
);
