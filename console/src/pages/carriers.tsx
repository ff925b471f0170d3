import type { Carrier, Driver } from '@pto/proto/operators/v1/carriers';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useState } from 'react';
import { Link } from 'wouter';
import { dueOf, inSequence, isUnderWay } from '../board/columns.ts';
import { unshownMs, useBoard } from '../board/use-board.ts';
import { useRecords } from '../parts/carriers.ts';
import { useMay } from '../parts/me.ts';
import { NotReadAgain, Pending } from '../parts/pending.tsx';
import { Countdown } from '../parts/place-time.tsx';
import { type Column, Rows } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { type Edited, RecordWindow } from './carriers/record-window.tsx';

/** Carriers with their drivers, and what each driver carries now. */
export const CarriersPage = () => {
  const may = useMay();
  const query = useRecords();
  const open = useBoard({ everyMs: unshownMs }).data?.orders;
  const [edited, setEdited] = useState<Edited>();
  if (!query.data) return <Pending of="Carriers" query={query} />;
  const { carriers, drivers } = query.data;
  const mayChange = may('dispatcher', 'admin');
  const driversOf = ({ id }: Carrier) => drivers.filter(({ carrierId }) => carrierId === id);
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
              <Load orders={open.filter(({ carrierId }) => carrierId === carrier.id).length} />
            )}
            {mayChange && (
              <>
                <button type="button" className="quiet" onClick={() => setEdited({ carrier })}>
                  Change
                </button>
                <button
                  type="button"
                  className="quiet"
                  onClick={() => setEdited({ driver: undefined, of: carrier })}
                >
                  Add a driver
                </button>
              </>
            )}
          </div>
          <Rows
            of={driversOf(carrier)}
            id={({ id }) => id}
            columns={columnsOf(
              open,
              mayChange ? (driver) => setEdited({ driver, of: carrier }) : undefined,
            )}
            caption={`Drivers of ${carrier.name}`}
            empty="It has no driver with a record."
          />
        </section>
      ))}
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
        <Link href={`/drivers/${id}`} className="order">
          <Text of={name} />
        </Link>{' '}
        <Inactive of={{ active }} />
      </>
    ),
  ],
  ['Telephone', (driver) => <Telephone of={driver} />],
  ['Carries now', ({ id }) => open && <Carries orders={carriedBy(open, id)} />, 'named'],
  [
    'Actions',
    (driver) =>
      change && (
        <button type="button" className="quiet" onClick={() => change(driver)}>
          Change
        </button>
      ),
  ],
];

/** Returns the open orders of a driver, what ends first at the beginning. */
export const carriedBy = (open: readonly OpenOrder[], id: string): readonly OpenOrder[] =>
  open.filter(({ driverId }) => driverId === id).toSorted(inSequence);

const Load = ({ orders }: { orders: number }) => (
  <span className="faint">
    carries {orders === 0 ? 'nothing' : orders === 1 ? '1 order' : `${orders} orders`}
  </span>
);

/** How many orders, and when the next pick-up must have begun. */
const Carries = ({ orders }: { orders: readonly OpenOrder[] }) => {
  const next = orders.find((order) => !isUnderWay(order));
  if (orders.length === 0) return <span className="faint">nothing</span>;
  return (
    <>
      {orders.length} {orders.length === 1 ? 'order' : 'orders'},{' '}
      {next ? (
        <>
          pick-up <Countdown at={dueOf(next)} />
        </>
      ) : (
        'under way'
      )}
    </>
  );
};

/** Only what is not usual is said. */
export const Inactive = ({ of: { active } }: { of: { readonly active: boolean } }) =>
  active ? null : <span className="badge ended">inactive</span>;

export const Telephone = ({ of: { telephone } }: { of: { readonly telephone: string } }) =>
  telephone === '' ? null : (
    <a href={`tel:${telephone.replace(/[^+\d]/g, '')}`}>
      <Text of={telephone} />
    </a>
  );
