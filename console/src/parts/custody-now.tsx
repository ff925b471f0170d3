import type { ReactNode } from 'react';
import { toneOf } from './badge.tsx';
import { holderOf, partyWith } from './holder.ts';
import { Next, waitsOf } from './next.tsx';
import type { ShownOrder } from './order/source.ts';
import { Text } from './text.tsx';
import { t } from './words.ts';

/**
 * Who has the goods now, and what comes next.
 * @param entries of the verified chain; undefined: it is being read.
 * @param call shows how to call the party that has the goods.
 */
export const CustodyNow = ({
  order,
  entries,
  call,
}: {
  order: ShownOrder['order'];
  entries: readonly unknown[] | undefined;
  call?: ((party: string | undefined) => ReactNode) | undefined;
}) => (
  <section aria-label={t('Custody now')} className={`holder ${toneOf(order.status)}`}>
    <h2>{t('Who holds it')}</h2>
    <p>
      {entries ? (
        <>
          <strong>
            <Text of={holderOf(order, entries)} />
          </strong>{' '}
          {call?.(partyWith(order, entries))}
        </>
      ) : (
        <span className="faint">{t('Reading the custody chain …')}</span>
      )}
    </p>
    <p>
      <Next of={waitsOf(order)} />
    </p>
  </section>
);
