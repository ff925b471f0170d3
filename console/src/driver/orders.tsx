import { useCallback } from 'react';
import { Link } from 'wouter';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';
import { statusOf } from './next-step.ts';
import type { Shift } from './shift.ts';
import { openStore } from './store.ts';
import { useStored } from './use-stored.ts';

/** The driver's orders of today. */
export const OrdersPage = ({ shift, isOffline }: { shift: Shift; isOffline: boolean }) => {
  const { driverId } = shift;
  const read = useCallback(async () => {
    const store = await openStore();
    const [orders, records] = await Promise.all([store.getAll('orders'), store.getAll('records')]);
    return { orders: orders.filter((one) => one.driverId === driverId), records };
  }, [driverId]);
  const stored = useStored(read);
  const waiting = stored?.records.filter(({ state }) => state === 'waiting').length ?? 0;
  return (
    <main className="driver">
      <title>{t('Your transports')}</title>
      <h1>{t('Your transports')}</h1>
      {isOffline && <p role="status">{t('No network. Records wait on this phone.')}</p>}
      {waiting > 0 && <p role="status">{t('Not sent: {count}', { count: waiting })}</p>}
      <ul>
        {stored?.orders.map((known) => (
          <li key={known.id}>
            <Link href={`/orders/${known.id}`}>
              <Text of={`${known.open.pickup!.city} – ${known.open.dropoff!.city}`} />
              <br />
              {t(
                statusOf(
                  known,
                  stored.records.filter(({ orderId }) => orderId === known.id),
                ),
              )}
            </Link>
          </li>
        ))}
      </ul>
      {stored?.orders.length === 0 && <p>{t('You have no transport now.')}</p>}
    </main>
  );
};
