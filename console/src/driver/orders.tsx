import { useCallback } from 'react';
import { Link } from 'wouter';
import { wordOf } from '../parts/badge.tsx';
import { Text } from '../parts/text.tsx';
import { useMinute } from '../parts/use-minute.ts';
import { t } from '../parts/words.ts';
import { nextStep, statusOf, stopOf } from './next-step.ts';
import { PositionQuestion } from './position-question.tsx';
import type { DriverRecord, OfOrder } from './records.ts';
import type { Shift } from './shift.ts';
import { doIt } from './step-words.ts';
import { openStore, useStored } from './store.ts';
import { windowOf } from './when.ts';

interface Row extends Omit<OfOrder, 'shift'> {
  readonly status: string;
}

/** The driver's orders: those under way, then by their pick-up; at last those that are done. */
export const OrdersPage = ({ shift }: { shift: Shift }) => {
  const { driverId } = shift;
  const read = useCallback(async () => {
    const store = await openStore();
    const all = (await store.getAll('records')).filter((one) => one.driverId === driverId);
    const orders = (await store.getAll('orders')).filter((one) => one.driverId === driverId);
    const rows = orders.map((known): Row => {
      const records = all.filter(({ orderId }) => orderId === known.id);
      return { known, records, status: statusOf(known, records) };
    });
    const isKnown = (orderId: string) => orders.some(({ id }) => id === orderId);
    return {
      rows: rows.toSorted((one, other) => (turnOf(one) < turnOf(other) ? -1 : 1)),
      // an earlier shift has recorded them, and the order is another driver's now
      left: all.filter(({ orderId, failure }) => failure && !isKnown(orderId)),
    };
  }, [driverId]);
  const stored = useStored(read);
  if (!stored) return <main aria-busy="true" />;
  const { rows, left } = stored;
  return (
    <main>
      <title>{t('Your transports')}</title>
      <h1>{t('Your transports')}</h1>
      <PositionQuestion />
      <ul className="stops">
        {rows.map((row) => (
          <OrderRow key={row.known.id} of={row} />
        ))}
        {[...new Set(left.map(({ orderId }) => orderId))].map((id) => (
          <li key={id}>
            <Link href={`/orders/${id}`} className="stop gone">
              <strong>{t('Not your order')}</strong>
              <span className="faint">{id.slice(0, 8)}</span>
              <Marks of={left.filter(({ orderId }) => orderId === id)} />
            </Link>
          </li>
        ))}
      </ul>
      {rows.length === 0 && (
        <p>{t('You have no transport now. A new one appears here as soon as you have it.')}</p>
      )}
    </main>
  );
};

const turnOf = ({ known, status }: Row): string => {
  const turn = known.isGone ? 2 : status === 'DRIVER_ASSIGNED' ? 1 : 0;
  return `${turn} ${known.order.pickupWindowStart}`;
};

const OrderRow = ({ of: { known, records, status } }: { of: Row }) => {
  const now = useMinute();
  const { open, order, isGone } = known;
  const next = isGone ? null : nextStep(known, records);
  const stop = stopOf(status) === 'pickup' ? open.pickup! : open.dropoff!;
  const end = order.pickupWindowEnd ?? order.pickupWindowStart;
  const isLate = status === 'DRIVER_ASSIGNED' && !isGone && Date.parse(end) < now;
  return (
    <li>
      <Link href={`/orders/${known.id}`} className={isGone ? 'stop gone' : 'stop'}>
        <strong>
          {stopOf(status) === 'pickup' && !isGone
            ? windowOf(order.pickupWindowStart, order.pickupWindowEnd)
            : wordOf(isGone && !ended.includes(status) ? 'given to somebody else' : status)}
        </strong>
        <span>
          <Text of={stop.label} />
        </span>
        {!stop.label.includes(stop.city) && <Text of={stop.city} />}
        <span className="faint">
          <Text of={[open.externalId, order.items[0]?.goodsType].filter(Boolean).join(' · ')} />
        </span>
        {next && <span className="next">{doIt(next)}</span>}
        <Marks of={records} isLate={isLate} />
      </Link>
    </li>
  );
};

/** What a driver must see of an order. */
const Marks = ({ of, isLate = false }: { of: readonly DriverRecord[]; isLate?: boolean }) => {
  const [waiting, problems] = [
    of.filter(({ state }) => state === 'waiting').length,
    of.filter(({ failure }) => failure).length,
  ];
  return (
    <>
      {isLate && <span className="warn">{t('late')}</span>}
      {waiting > 0 && <span className="warn">{t('Not sent: {count}', { count: waiting })}</span>}
      {problems > 0 && <span className="warn">{t('Look here: {count}', { count: problems })}</span>}
    </>
  );
};

const ended: readonly string[] = ['CLOSED', 'CANCELLED'];
