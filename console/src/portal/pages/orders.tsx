import { orderStatuses } from '@pto/proto/vocabulary';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Pages, usePages } from '../../parts/pages.tsx';
import { shortId } from '../../parts/short-id.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { read, type Schemas } from '../api.ts';
import { livePortal } from '../session.ts';

const columns: readonly Column<Schemas['Order']>[] = [
  [
    'Order',
    ({ id, external_id }) => (
      <Link href={`/orders/${id}`} className="order">
        {external_id ?? shortId(id)}
      </Link>
    ),
  ],
  ['Status', ({ status }) => <Badge of={status} />],
  ['From', ({ pickup_location }) => pickup_location?.city],
  ['To', (order) => order.dropoff_location?.city ?? order.dropoff_address_text],
  [
    'Priority',
    ({ sla }) => <span className={`sla ${sla.toLowerCase()}`}>{sla.toLowerCase()}</span>,
  ],
  ['Pick-up', ({ pickup_window_start }) => <Time at={pickup_window_start ?? ''} />],
  ['Changed', ({ updated_at, created_at }) => <Time at={updated_at ?? created_at} />],
];

/** The orders of the organization, newest first, live. The filters stay in the page's address. */
export const OrdersPage = () => {
  const given = new URLSearchParams(location.search);
  const [reference, setReference] = useState(given.get('q') ?? '');
  const [status, setStatus] = useState(given.get('status') ?? '');
  const pages = usePages();
  const searched = useDeferredValue(reference.trim());
  const change = (set: () => void, name: string, value: string) => {
    set();
    pages.toFirst();
    const next = new URLSearchParams(location.search);
    if (value === '') next.delete(name);
    else next.set(name, value);
    history.replaceState(null, '', `?${next}`);
  };
  const query = useCall(
    ['orders', searched, status, pages.id],
    () =>
      read<Schemas['OrderList']>('/orders', {
        limit: '25',
        cursor: pages.id,
        external_id: searched,
        status,
      }),
    livePortal,
  );
  return (
    <>
      <div className="bar">
        <h1>Orders</h1>
        <input
          id="search"
          type="search"
          aria-label="Search orders"
          placeholder="Your whole reference"
          value={reference}
          maxLength={255}
          onChange={({ target: { value } }) => change(() => setReference(value), 'q', value)}
        />
        <select
          aria-label="Status"
          value={status}
          onChange={({ target: { value } }) => change(() => setStatus(value), 'status', value)}
        >
          <option value="">All</option>
          {orderStatuses.map((one) => (
            <option key={one} value={one}>
              {one.replaceAll('_', ' ').toLowerCase()}
            </option>
          ))}
        </select>
      </div>
      <Table
        query={query}
        rows={({ data }) => data}
        id={({ id }) => id}
        columns={columns}
        caption="Orders"
        empty={searched === '' ? 'No order is here.' : 'No order has this reference.'}
      />
      <Pages of={pages} next={query.data?.next_cursor ?? undefined} />
    </>
  );
};
