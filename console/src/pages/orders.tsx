import type { OrderSummary } from '@pto/proto/orders/v1/commands';
import { orderStatuses } from '@pto/proto/vocabulary';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { useOrganizationName, useOrganizations } from '../parts/organizations.ts';
import { Pages, usePages } from '../parts/pages.tsx';
import { shortId } from '../parts/short-id.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

const ended: readonly string[] = ['CLOSED', 'CANCELLED'];

const filters = {
  open: orderStatuses.filter((status) => !ended.includes(status)),
  custody: ['PICKUP_STARTED', 'SEALED', 'IN_TRANSIT'],
  ended,
  all: [],
} as const;
type Filter = keyof typeof filters;

const names: Readonly<Record<Filter, string>> = {
  open: 'Open',
  custody: 'In custody',
  ended: 'Ended',
  all: 'All',
};

/** Orders of all organizations, live. The search and the filters stay in the page's address. */
export const OrdersPage = () => {
  const given = new URLSearchParams(location.search);
  const [text, setText] = useState(given.get('q') ?? '');
  const [filter, setFilter] = useState((given.get('show') ?? 'open') as Filter);
  const [organizationId, setOrganization] = useState(given.get('of') ?? '');
  const pages = usePages();
  const searched = useDeferredValue(text.trim());
  const nameOf = useOrganizationName();
  const organizations = useOrganizations();

  const change = (set: () => void, members: Record<string, string>) => {
    set();
    pages.toFirst();
    const next = new URLSearchParams(location.search);
    for (const [key, value] of Object.entries(members))
      if (value === '') next.delete(key);
      else next.set(key, value);
    history.replaceState(null, '', `?${next}`);
  };

  const afterId = pages.id;
  const statuses = searched === '' ? (filters[filter] ?? []) : [];
  const query = useCall(
    ['orders', searched, filter, organizationId, afterId],
    () =>
      clients.orders.searchOrders({
        text: searched,
        statuses: [...statuses],
        organizationId,
        afterId,
        refresh: true,
      }),
    { live: true },
  );

  const columns: readonly Column<OrderSummary>[] = [
    [
      'Order',
      ({ id, externalId }) => (
        <Link href={`/orders/${id}`} className="order">
          {externalId ?? shortId(id)}
        </Link>
      ),
    ],
    [
      'Status',
      ({ status, hasCustodyFault }) => (
        <>
          <Badge of={status} />
          {hasCustodyFault && <span className="badge bad">custody fault</span>}
        </>
      ),
    ],
    ['From', ({ pickupCity }) => pickupCity],
    ['To', ({ dropoffCity }) => dropoffCity],
    ['Organization', (order) => nameOf(order.organizationId)],
    [
      'Priority',
      ({ sla }) => <span className={`sla ${sla.toLowerCase()}`}>{sla.toLowerCase()}</span>,
    ],
    ['Pick-up', ({ pickupWindowStart }) => <Time at={pickupWindowStart} />],
    ['Changed', ({ updatedAt }) => <Time at={updatedAt} />],
  ];

  return (
    <>
      <div className="bar">
        <h1>Orders</h1>
        <input
          id="search"
          type="search"
          aria-label="Search orders"
          placeholder="Reference, id, seal or city"
          value={text}
          maxLength={255}
          onChange={({ target: { value } }) => change(() => setText(value), { q: value })}
        />
        <fieldset className="choice" disabled={searched !== ''}>
          <legend className="hidden">Show</legend>
          {(Object.keys(names) as Filter[]).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="show"
                checked={filter === one}
                onChange={() => change(() => setFilter(one), { show: one })}
              />
              {names[one]}
            </label>
          ))}
        </fieldset>
        <select
          aria-label="Organization"
          value={organizationId}
          onChange={({ target: { value } }) => change(() => setOrganization(value), { of: value })}
        >
          <option value="">All organizations</option>
          {organizations.data?.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <Table
        query={query}
        rows={({ orders }) => orders}
        id={({ id }) => id}
        columns={columns}
        caption="Orders"
        empty={
          searched === ''
            ? 'No order is here.'
            : 'Nothing found. References and ids are searched whole; seals and cities among open orders.'
        }
      />
      <Pages of={pages} next={query.data?.nextAfterId} />
    </>
  );
};
