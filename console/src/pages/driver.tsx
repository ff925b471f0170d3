import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { Link, useLocation } from 'wouter';
import { exceptionsOf } from '../board/columns.ts';
import { holdingOf, type Records } from '../board/holding.ts';
import { useBoard } from '../board/use-board.ts';
import { useRecords } from '../parts/carriers.ts';
import { titled } from '../parts/environment.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { NotFound } from '../parts/not-found.tsx';
import { useOrganizationName } from '../parts/organizations.ts';
import { NotReadAgain, Pending, Waiting } from '../parts/pending.tsx';
import { Text } from '../parts/text.tsx';
import { useStable } from '../parts/use-stable.ts';
import { carriedBy, Inactive, Telephone } from './carriers.tsx';
import { Phones } from './driver/phones.tsx';
import { Card } from './now/card.tsx';
import { useDesk } from './now/use-desk.ts';
import { useVerb } from './now/use-verb.ts';
import { DeskWindows } from './now/windows.tsx';

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
        <Inactive of={driver} />
        <Telephone of={driver} />
        <LinkedText of={carrier?.name ?? 'Carriers'} at="/carriers" />
        {board.data?.orders.some(({ driverId }) => driverId === id) && (
          <Link href={`/?driver=${id}`}>On the board</Link>
        )}
      </div>
      {board.data?.hasMore && (
        <p className="error">More than 1,000 orders are open. The first are searched.</p>
      )}
      {board.data ? (
        <>
          <NotReadAgain query={board} />
          <Day of={carriedBy(board.data.orders, id)} records={records.data} />
        </>
      ) : (
        <Waiting label="Loading: Open orders" query={board} />
      )}
      <Phones driverId={id} isActive={driver.active && carrier?.active === true} />
    </>
  );
};

/** The driver and the carrier of the page are not repeated: who else has the goods. */
const ofOther = ({ words, telephone, isAssigned }: ReturnType<typeof holdingOf>) =>
  isAssigned ? { holding: '', telephone: '' } : { holding: words, telephone };

/** The orders with their next steps, as on Now; the delivered ones, with nothing to drive, fold out. */
const Day = ({ of: orders, records }: { of: readonly OpenOrder[]; records: Records }) => {
  const verbOf = useVerb();
  const organizationName = useOrganizationName();
  const [, navigate] = useLocation();
  const onOpen = useStable((id: string) => navigate(`/orders/${id}`));
  const [driven, delivered] = [false, true].map((isOver) =>
    orders.filter(({ status }) => (status === 'DELIVERED') === isOver),
  ) as [OpenOrder[], OpenOrder[]];
  const desk = useDesk([driven, delivered], onOpen);
  const [onSelect, onNext] = [useStable(desk.select), useStable(desk.next)];
  const cardOf = (order: OpenOrder) => (
    <Card
      key={order.id}
      order={order}
      isFull
      wrong={exceptionsOf(order).join('; ')}
      organization={organizationName(order.organizationId)}
      {...ofOther(holdingOf(order, records))}
      verb={verbOf(order)}
      pending={desk.pending.get(order.id)}
      isCurrent={order === desk.current}
      isSelected={desk.selected.has(order.id)}
      isSelectable={false}
      {...{ onOpen, onSelect, onNext }}
    />
  );
  return (
    <section aria-label="Open orders" className="cards">
      {orders.length === 0 && (
        <p className="empty">
          The driver is free. <Link href="/">Assign orders on Now</Link>
        </p>
      )}
      {driven.map(cardOf)}
      {delivered.length > 0 && (
        <details>
          <summary>{delivered.length} delivered, to be closed</summary>
          {delivered.map(cardOf)}
        </details>
      )}
      <DeskWindows desk={desk} />
    </section>
  );
};
