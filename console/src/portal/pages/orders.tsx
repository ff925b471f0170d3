import { orderStatuses } from '@pto/proto/vocabulary';
import { useDeferredValue } from 'react';
import { Link } from 'wouter';
import { useCall } from '../../calls/use-call.ts';
import { AddressSelect, wordsOf } from '../../parts/address-select.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Pages, usePageId } from '../../parts/pages.tsx';
import { Priority } from '../../parts/priority.tsx';
import type { Schemas } from '../../parts/schemas.ts';
import { shortId } from '../../parts/short-id.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { useEnterOpens } from '../../parts/use-enter-opens.ts';
import { read } from '../api.ts';
import { livePortal } from '../session.ts';

const columns: readonly Column<Schemas['Order']>[] = [
  [
    'Order',
    ({ id, external_id }) => (
      <Link href={`/orders/${id}`} className="order">
        <Text of={external_id ?? shortId(id)} />
      </Link>
    ),
  ],
  [
    'Status',
    ({ status, has_incident }) => (
      <>
        <Badge of={status} />
        {has_incident && <span className="badge bad">incident</span>}
      </>
    ),
  ],
  ['From', ({ pickup_location }) => pickup_location?.city],
  ['To', (order) => order.dropoff_location?.city ?? order.dropoff_address_text],
  ['Priority', ({ sla }) => <Priority of={sla} />],
  ['Pick-up', ({ pickup_window_start }) => <Time at={pickup_window_start ?? ''} />],
  ['Changed', ({ updated_at, created_at }) => <Time at={updated_at ?? created_at} />],
];

const emptyOf = (searched: string, status: string): string => {
  if (searched !== '') return 'No order has this reference.';
  return status === '' ? 'There is no order yet.' : 'No order has this status.';
};

/** The orders of the organization, newest first, live. The filters stay in the page's address. */
export const OrdersPage = () => {
  const address = useAddress();
  const [reference, status] = [address.get('q'), address.get('status', orderStatuses)];
  const cursor = usePageId();
  const searched = useDeferredValue(reference.trim());
  const query = useCall(
    ['orders', searched, status, cursor],
    () =>
      read<Schemas['OrderList']>('/orders', {
        limit: '25',
        cursor,
        external_id: searched,
        status,
      }),
    livePortal,
  );
  const openOnEnter = useEnterOpens(
    reference,
    query.isSuccess && !query.isPlaceholderData ? searched : undefined,
    query.data?.data.map(({ id }) => id) ?? [],
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
          onChange={({ target: { value } }) => address.set({ q: value }, { isTyped: true })}
          onKeyDown={openOnEnter}
        />
        <AddressSelect name="status" label="Status" options={wordsOf('statuses', orderStatuses)} />
      </div>
      <Table
        query={query}
        rows={({ data }) => data}
        id={({ id }) => id}
        columns={columns}
        caption="Orders"
        empty={emptyOf(searched, status)}
      />
      <Pages next={query.data?.next_cursor ?? undefined} />
    </>
  );
};
