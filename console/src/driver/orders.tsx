import { useCallback } from 'react';
import { Link } from 'wouter';
import { dueOf } from '../board/columns.ts';
import { Text } from '../parts/text.tsx';
import { useMinute } from '../parts/use-minute.ts';
import { t } from '../parts/words.ts';
import { nextStep, statusOf, stopOf } from './next-step.ts';
import { PositionQuestion } from './position-question.tsx';
import type { DriverRecord } from './records.ts';
import type { Shift } from './shift.ts';
import { isLate, type Standing, Stands } from './standing.tsx';
import { doIt } from './step-words.ts';
import { openStore, useStored } from './store.ts';

/** The driver's orders, the most urgent first. */
export const OrdersPage = ({ shift }: { shift: Shift }) => {
  const { driverId } = shift;
  const read = useCallback(async () => {
    const store = await openStore();
    const all = (await store.getAll('records')).filter((one) => one.driverId === driverId);
    const orders = (await store.getAll('orders')).filter((one) => one.driverId === driverId);
    const rows = orders.map((known): Standing => {
      const records = all.filter(({ orderId }) => orderId === known.id);
      return { known, records, status: statusOf(known, records) };
    });
    const isKnown = (orderId: string) => orders.some(({ id }) => id === orderId);
    return {
      rows,
      // an earlier shift has recorded them, and the order is another driver's now
      left: all.filter(({ orderId, failure }) => failure && !isKnown(orderId)),
    };
  }, [driverId]);
  const stored = useStored(read);
  const now = useMinute();
  if (!stored) return <main aria-busy="true" />;
  const { rows, left } = stored;
  const inTurn = rows.toSorted((one, other) => (turnOf(one, now) < turnOf(other, now) ? -1 : 1));
  return (
    <main>
      <title>{t('Your transports')}</title>
      <h1>{t('Your transports')}</h1>
      <ul className="stops">
        {inTurn.map((row) => (
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
      <PositionQuestion />
    </main>
  );
};

const turns: Readonly<Record<string, number>> = { DRIVER_ASSIGNED: 2, DELIVERED: 3 };

/** Late ones first, then those under way, those to come, those delivered, those that are gone. */
const turnOf = (of: Standing, now: number): string =>
  `${of.known.isGone ? 4 : isLate(of, now) ? 0 : (turns[of.status] ?? 1)} ${dueOf(of.known.order)}`;

const OrderRow = ({ of }: { of: Standing }) => {
  const { known, records, status } = of;
  const { open, order, isGone } = known;
  const next = isGone ? null : nextStep(known, records);
  const stop = stopOf(status) === 'pickup' ? open.pickup! : open.dropoff!;
  return (
    <li>
      <Link href={`/orders/${known.id}`} className={isGone ? 'stop gone' : 'stop'}>
        <Stands of={of} />
        <span>
          <Text of={stop.label} />
        </span>
        {!stop.label.includes(stop.city) && <Text of={stop.city} />}
        <span className="faint">
          <Text of={[open.externalId, order.items[0]?.goodsType].filter(Boolean).join(' · ')} />
        </span>
        {next && <span className="next">{doIt(next)}</span>}
        <Marks of={records} />
      </Link>
    </li>
  );
};

/** What a driver must see of an order. */
const Marks = ({ of }: { of: readonly DriverRecord[] }) => {
  const [waiting, problems] = [
    of.filter(({ state }) => state === 'waiting').length,
    of.filter(({ failure }) => failure).length,
  ];
  return (
    <>
      {waiting > 0 && <span className="warn">{t('Not sent: {count}', { count: waiting })}</span>}
      {problems > 0 && <span className="warn">{t('Look here: {count}', { count: problems })}</span>}
    </>
  );
};
