import type { OrderSummary } from '@pto/proto/orders/v1/commands';
import { orderStatuses } from '@pto/proto/vocabulary';
import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { AddressSelect } from '../parts/address-select.tsx';
import { Badge } from '../parts/badge.tsx';
import { useOrganizationName, useOrganizations } from '../parts/organizations.ts';
import { Pages, usePageId } from '../parts/pages.tsx';
import { Priority } from '../parts/priority.tsx';
import { shortId } from '../parts/short-id.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Text } from '../parts/text.tsx';
import { Time } from '../parts/time.tsx';
import { useAddress } from '../parts/use-address.ts';
import { useEnterOpens } from '../parts/use-enter-opens.ts';

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

const nothing: Readonly<Record<Filter, string>> = {
  open: 'No order is open. All shows the ended ones, too.',
  custody: 'No order is in custody now.',
  ended: 'No order has ended yet.',
  all: 'There is no order yet. Partners create orders by the API.',
};

/** Orders of all organizations, live. The search and the filters stay in the page's address. */
export const OrdersPage = () => {
  const address = useAddress();
  const [text, shown, organizationId] = [address.get('q'), address.get('show'), address.get('of')];
  const filter = shown in filters ? (shown as Filter) : 'open';
  const afterId = usePageId();
  const searched = useDeferredValue(text.trim());
  const nameOf = useOrganizationName();
  const organizations = useOrganizations();

  const statuses = searched === '' ? filters[filter] : [];
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

  const openOnEnter = useEnterOpens(
    text,
    query.isSuccess && !query.isPlaceholderData ? searched : undefined,
    query.data?.orders.map(({ id }) => id) ?? [],
  );

  const columns: readonly Column<OrderSummary>[] = [
    [
      'Order',
      ({ id, externalId }) => (
        <Link href={`/orders/${id}`} className="order">
          <Text of={externalId ?? shortId(id)} />
        </Link>
      ),
    ],
    [
      'Status',
      ({ status, hasCustodyFault, hasIncident }) => (
        <>
          <Badge of={status} />
          {hasIncident && <span className="badge bad">incident</span>}
          {hasCustodyFault && <span className="badge bad">custody fault</span>}
        </>
      ),
    ],
    ['From', ({ pickupCity }) => pickupCity],
    ['To', ({ dropoffCity }) => dropoffCity],
    ['Organization', (order) => nameOf(order.organizationId)],
    ['Priority', ({ sla }) => <Priority of={sla} />],
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
          onChange={({ target: { value } }) => address.set({ q: value }, { isTyped: true })}
          onKeyDown={openOnEnter}
        />
        <fieldset className="choice" disabled={searched !== ''}>
          <legend className="hidden">Show</legend>
          {(Object.keys(names) as Filter[]).map((one) => (
            <label key={one}>
              <input
                type="radio"
                name="show"
                checked={filter === one}
                onChange={() => address.set({ show: one })}
              />
              {names[one]}
            </label>
          ))}
        </fieldset>
        <AddressSelect
          name="of"
          label="Organization"
          options={[
            ['', 'All organizations'],
            ...(organizations.data ?? []).map(({ id, name }) => [id, name] as const),
          ]}
        />
      </div>
      <Table
        query={query}
        rows={({ orders }) => orders}
        id={({ id }) => id}
        columns={columns}
        caption="Orders"
        empty={
          searched === ''
            ? nothing[filter]
            : 'Nothing found. Open orders are found by a part of the reference, by seal or city; ended ones by the whole reference or id.'
        }
      />
      <Pages next={query.data?.nextAfterId} />
    </>
  );
};
