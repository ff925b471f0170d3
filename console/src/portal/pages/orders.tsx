import { orderStatuses } from '@pto/proto/vocabulary';
import { AddressSelect, wordsOf } from '../../parts/address-select.tsx';
import { OrderList, type OrderRow } from '../../parts/order/list.tsx';
import { changedAt } from '../../parts/order/source.ts';
import type { Schemas } from '../../parts/schemas.ts';
import { useAddress } from '../../parts/use-address.ts';
import { read } from '../api.ts';
import { livePortal } from '../session.ts';

const rowOf = (order: Schemas['Order']): OrderRow => ({
  ...order,
  from: order.pickup_location?.city,
  to: order.dropoff_location?.city ?? order.dropoff_address_text,
  pickup: order.pickup_window_start ?? '',
  changed: changedAt(order),
});

/** The orders of the organization. */
export const OrdersPage = () => {
  const status = useAddress().get('status', orderStatuses);
  return (
    <OrderList
      filter={[status]}
      read={async (external_id, cursor) => {
        const filter = { limit: '25', cursor, external_id, status };
        const page = await read<Schemas['OrderList']>('/orders', filter);
        return { rows: page.data.map(rowOf), next: page.next_cursor };
      }}
      everyMs={livePortal.everyMs}
      placeholder="Your whole reference"
      empty={(searched) => {
        if (searched !== '') return 'No order has this reference.';
        return status === '' ? 'There is no order yet.' : 'No order has this status.';
      }}
    >
      {() => (
        <AddressSelect name="status" label="Status" options={wordsOf('statuses', orderStatuses)} />
      )}
    </OrderList>
  );
};
