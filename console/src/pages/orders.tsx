import type { OrderSummary } from '@pto/proto/orders/v1/commands';
import { useDeferredValue, useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { useOrganizationName, useOrganizations } from '../parts/organizations.ts';
import { shortId } from '../parts/short-id.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';

const filters = {
  open: [
    'DRAFT',
    'SUBMITTED',
    'ASSIGNED',
    'ACCEPTED',
    'DRIVER_ASSIGNED',
    'PICKUP_STARTED',
    'SEALED',
    'IN_TRANSIT',
    'DELIVERED',
  ],
  custody: ['PICKUP_STARTED', 'SEALED', 'IN_TRANSIT'],
  ended: ['CLOSED', 'CANCELLED'],
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
  const [afterIds, setAfterIds] = useState<readonly string[]>([]);
  const searched = useDeferredValue(text.trim());
  const nameOf = useOrganizationName();
  const organizations = useOrganizations();

  const change = (set: () => void, members: Record<string, string>) => {
    set();
    setAfterIds([]);
    const next = new URLSearchParams(location.search);
    for (const [key, value] of Object.entries(members))
      if (value === '') next.delete(key);
      else next.set(key, value);
    history.replaceState(null, '', `?${next}`);
  };

  const afterId = afterIds.at(-1) ?? '';
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
      <div className="pages">
        {afterIds.length > 0 && (
          <button
            type="button"
            className="quiet"
            onClick={() => setAfterIds(afterIds.slice(0, -1))}
          >
            Newer
          </button>
        )}
        {query.data?.nextAfterId && (
          <button
            type="button"
            className="quiet"
            onClick={() => setAfterIds([...afterIds, query.data.nextAfterId])}
          >
            Older
          </button>
        )}
      </div>
    </>
  );
};
