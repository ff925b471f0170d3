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
import { openStore, recordsOf } from './store.ts';
import { useStored } from './use-stored.ts';
import { windowOf } from './when.ts';

interface Row extends Omit<OfOrder, 'shift'> {
  readonly status: string;
}

/** The driver's orders: those under way, then by their pick-up; at last those that are done. */
export const OrdersPage = ({ shift }: { shift: Shift }) => {
  const { driverId } = shift;
  const read = useCallback(async () => {
    const orders = await (await openStore()).getAll('orders');
    const own = orders.filter((known) => known.driverId === driverId);
    const rows = await Promise.all(
      own.map(async (known): Promise<Row> => {
        const records = await recordsOf(driverId, known.id);
        return { known, records, status: statusOf(known, records) };
      }),
    );
    return rows.toSorted((one, other) => (turnOf(one) < turnOf(other) ? -1 : 1));
  }, [driverId]);
  const rows = useStored(read);
  if (!rows) return <main aria-busy="true" />;
  return (
    <main>
      <title>{t('Your transports')}</title>
      <h1>{t('Your transports')}</h1>
      <PositionQuestion />
      <ul className="stops">
        {rows.map((row) => (
          <OrderRow key={row.known.id} of={row} />
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
  const count = (state: DriverRecord['state']) =>
    records.filter((record) => record.state === state).length;
  const [waiting, problems] = [count('waiting'), count('kept') + count('rejected')];
  const marks = [
    status === 'DRIVER_ASSIGNED' && !isGone && Date.parse(end) < now && t('late'),
    waiting > 0 && t('Not sent: {count}', { count: waiting }),
    problems > 0 && t('Look here: {count}', { count: problems }),
  ];
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
        {marks.map(
          (mark) =>
            mark && (
              <span key={mark} className="warn">
                {mark}
              </span>
            ),
        )}
      </Link>
    </li>
  );
};

const ended: readonly string[] = ['CLOSED', 'CANCELLED'];
