import type { Carrier, Driver } from '@pto/proto/operators/v1/carriers';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useState } from 'react';
import { dueOf, inSequence, isUnderWay } from '../board/columns.ts';
import { namedBy } from '../board/suggest.ts';
import { unshownMs, useBoard } from '../board/use-board.ts';
import { useRecords } from '../parts/carriers.ts';
import { counted } from '../parts/counted.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { useMay } from '../parts/me.ts';
import { NotReadAgain, Pending } from '../parts/pending.tsx';
import { Countdown } from '../parts/place-time.tsx';
import { QuietButton } from '../parts/quiet-button.tsx';
import { type Column, Rows } from '../parts/table.tsx';
import { telephoneUrl } from '../parts/telephone-url.ts';
import { Text } from '../parts/text.tsx';
import { type Edited, RecordWindow } from './carriers/record-window.tsx';

/** Carriers with their drivers, and what each driver carries now. */
export const CarriersPage = () => {
  const may = useMay();
  const query = useRecords();
  const open = useBoard({ everyMs: unshownMs }).data?.orders;
  const [edited, setEdited] = useState<Edited>();
  if (!query.data) return <Pending of="Carriers" query={query} />;
  const { drivers } = query.data;
  const carriers = byLateness(query.data.carriers, ({ id }) =>
    open?.filter((one) => one.carrierId === id),
  );
  const mayKeep = may('dispatcher', 'admin', 'carrier');
  const mayChange = may('dispatcher', 'admin');
  const driversOf = ({ id }: Carrier) =>
    byLateness(
      drivers.filter(({ carrierId }) => carrierId === id),
      (driver) => open && carriedBy(open, driver.id),
    );
  const unrecorded = new Set(
    open?.flatMap(({ carrierId, transportOrganization: name }) =>
      carrierId === undefined && name !== undefined && !namedBy(name, carriers) ? [name] : [],
    ),
  );
  return (
    <>
      <div className="bar">
        <h1>Carriers</h1>
        {mayChange && (
          <button type="button" onClick={() => setEdited({ carrier: undefined })}>
            Add a carrier
          </button>
        )}
      </div>
      <NotReadAgain query={query} />
      {carriers.length === 0 && (
        <p className="empty">
          No carrier has a record. Orders can be assigned to names alone, and to records.
        </p>
      )}
      {carriers.map((carrier) => (
        <section key={carrier.id} aria-label={carrier.name} className="aligned">
          <div className="bar">
            <h2>
              <Text of={carrier.name} />
            </h2>
            <Inactive of={carrier} />
            <Telephone of={carrier} />
            {open && (
              <span className="faint">
                carries {loadOf(open.filter(({ carrierId }) => carrierId === carrier.id))}
              </span>
            )}
            {mayChange && <QuietButton onClick={() => setEdited({ carrier })}>Change</QuietButton>}
            {mayKeep && (
              <QuietButton onClick={() => setEdited({ driver: undefined, of: carrier })}>
                Add a driver
              </QuietButton>
            )}
          </div>
          <Rows
            of={driversOf(carrier)}
            columns={columnsOf(
              open,
              mayKeep ? (driver) => setEdited({ driver, of: carrier }) : undefined,
            )}
            caption={`Drivers of ${carrier.name}`}
            empty="It has no driver with a record."
          />
        </section>
      ))}
      {unrecorded.size > 0 && (
        <p className="empty">
          Orders name {counted(unrecorded.size, 'more carrier')} without a record:{' '}
          <Text of={[...unrecorded].toSorted((a, b) => a.localeCompare(b)).join(', ')} />
        </p>
      )}
      {edited && (
        <RecordWindow
          edited={edited}
          drivers={
            'carrier' in edited && edited.carrier
              ? driversOf(edited.carrier).filter(({ active }) => active).length
              : 0
          }
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
};

/** @param change opens the window for a driver; undefined: the operator may not. */
const columnsOf = (
  open: readonly OpenOrder[] | undefined,
  change: ((driver: Driver) => void) | undefined,
): readonly Column<Driver>[] => [
  [
    'Driver',
    ({ id, name, active }) => (
      <>
        <LinkedText of={name} at={`/drivers/${id}`} className="order" />{' '}
        <Inactive of={{ active }} />
      </>
    ),
  ],
  ['Telephone', (driver) => <Telephone of={driver} />],
  ['Carries now', ({ id }) => open && <Carries orders={carriedBy(open, id)} />, 'named'],
  [
    'Actions',
    (driver) => change && <QuietButton onClick={() => change(driver)}>Change</QuietButton>,
  ],
];

/** Returns the open orders of a driver, what ends first at the beginning. */
export const carriedBy = (open: readonly OpenOrder[], id: string): readonly OpenOrder[] =>
  open.filter(({ driverId }) => driverId === id).toSorted(inSequence);

/** Returns records in the sequence of their next pick-ups; those without one stay behind, as they are. */
const byLateness = <One,>(
  all: readonly One[],
  ordersOf: (one: One) => readonly OpenOrder[] | undefined,
): readonly One[] => {
  const dues = new Map(
    all.map((one) => [one, Math.min(never, ...(ordersOf(one) ?? []).filter(isWaiting).map(dueMs))]),
  );
  return all.toSorted((one, other) => dues.get(one)! - dues.get(other)!);
};
const never = Number.MAX_SAFE_INTEGER;
const isWaiting = (order: OpenOrder) => !isUnderWay(order);
const dueMs = (order: OpenOrder) => Date.parse(dueOf(order));

/** Returns how many orders there are, those apart that need only be closed. */
const loadOf = (orders: readonly OpenOrder[]): string => {
  const delivered = orders.filter(({ status }) => status === 'DELIVERED').length;
  const carried = orders.length - delivered;
  const words = [
    carried > 0 && counted(carried, 'order'),
    delivered > 0 && `${delivered} delivered`,
  ];
  return words.filter(Boolean).join(', ') || 'nothing';
};

/** How many orders, and when the next pick-up must have begun. */
const Carries = ({ orders }: { orders: readonly OpenOrder[] }) => {
  const next = orders.find(isWaiting);
  if (orders.length === 0) return <span className="badge good">free</span>;
  return (
    <>
      {loadOf(orders)}
      {next && (
        <>
          , pick-up <Countdown at={dueOf(next)} />
        </>
      )}
    </>
  );
};

/** Only what is not usual is said. */
export const Inactive = ({ of: { active } }: { of: { readonly active: boolean } }) =>
  active ? null : <span className="badge ended">inactive</span>;

export const Telephone = ({ of: { telephone } }: { of: { readonly telephone: string } }) =>
  telephone === '' ? null : (
    <a href={telephoneUrl(telephone)}>
      <Text of={telephone} />
    </a>
  );
