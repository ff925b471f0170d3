import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { Link } from 'wouter';
import { dueOf, isUnderWay } from '../board/columns.ts';
import { flowOf } from '../board/flows.ts';
import { useBoard } from '../board/use-board.ts';
import { Badge } from '../parts/badge.tsx';
import { useRecords } from '../parts/carriers.ts';
import { titled } from '../parts/environment.ts';
import { NotFound } from '../parts/not-found.tsx';
import { Pending } from '../parts/pending.tsx';
import { Countdown, PlaceTime } from '../parts/place-time.tsx';
import { Priority } from '../parts/priority.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { carriedBy, State, Telephone } from './carriers.tsx';
import { Stop } from './now/card.tsx';
import { nameOf } from './now/step-window.tsx';

/** A driver's day: the open orders that the driver has, what ends first at the beginning. */
export const DriverPage = ({ id }: { id: string }) => {
  const records = useRecords();
  const board = useBoard({});
  if (!records.data) return <Pending of="Driver" query={records} />;
  const driver = records.data.drivers.find((one) => one.id === id);
  if (!driver) return <NotFound brand="Console" pages={[['/carriers', 'Carriers', 'c']]} />;
  const carrier = records.data.carriers.find((one) => one.id === driver.carrierId);
  return (
    <>
      <title>{`${driver.name} – ${titled('Console')}`}</title>
      <div className="bar">
        <h1>
          <Text of={driver.name} />
        </h1>
        <State of={driver} />
        <Telephone of={driver} />
        <Link href="/carriers">
          <Text of={carrier?.name ?? 'Carriers'} />
        </Link>
        {board.data?.orders.some(({ driverId }) => driverId === id) && (
          <Link href={`/?driver=${id}`}>On the board</Link>
        )}
      </div>
      {board.data?.hasMore && (
        <p className="error">More than 1,000 orders are open. The first are searched.</p>
      )}
      <Table
        query={board}
        rows={({ orders }) => carriedBy(orders, id)}
        id={(order) => order.id}
        columns={columns}
        caption="Open orders"
        empty="The driver has no open order."
      />
    </>
  );
};

const columns: readonly Column<OpenOrder>[] = [
  [
    'Order',
    (order) => (
      <>
        <Link href={`/orders/${order.id}`}>{nameOf(order)}</Link>{' '}
        {order.sla !== 'STANDARD' && <Priority of={order.sla} />} <Badge of={order.status} />
      </>
    ),
  ],
  ['Due', (order) => (isUnderWay(order) ? 'under way' : <Countdown at={dueOf(order)} />), 'state'],
  [
    'Pick-up',
    ({ pickup, pickupWindowStart, pickupWindowEnd }) => {
      const country = pickup?.country ?? '';
      return (
        <>
          <Stop of={pickup} />
          <span className="faint">
            <PlaceTime at={pickupWindowStart} country={country} />
            {pickupWindowEnd !== undefined && (
              <>
                {' '}
                to <PlaceTime at={pickupWindowEnd} country={country} />
              </>
            )}
          </span>
        </>
      );
    },
  ],
  ['Drop-off', ({ dropoff }) => <Stop of={dropoff} />, 'named'],
  ['Next', (order) => flowOf(order)?.verb ?? '', 'named'],
];
