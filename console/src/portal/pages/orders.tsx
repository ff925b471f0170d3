import { orderStatuses } from '@pto/proto/vocabulary';
import { AddressSelect, wordsOf } from '../../parts/address-select.tsx';
import { waitsOf } from '../../parts/next.tsx';
import { OrderList, type OrderRow } from '../../parts/order/list.tsx';
import { changedAt } from '../../parts/order/source.ts';
import type { Schemas } from '../../parts/schemas.ts';
import { useAddress } from '../../parts/use-address.ts';
import { t } from '../../parts/words.ts';
import { read } from '../api.ts';
import { livePortal } from '../session.ts';

/** Characters from which on a part of a reference is searched. */
const partMin = 3;

const rowOf = (order: Schemas['Order']): OrderRow => ({
  ...order,
  from: order.pickup_location?.city,
  to: order.dropoff_location?.city ?? order.dropoff_address_text,
  ...waitsOf(order),
  changed: changedAt(order),
});

/** The orders of the organization. */
export const OrdersPage = () => {
  const status = useAddress().get('status', orderStatuses);
  return (
    <OrderList
      filter={[status]}
      read={async (text, cursor) => {
        const searched = text.length < partMin ? { external_id: text } : { search: text };
        const filter = { limit: '25', cursor, ...searched, status };
        const page = await read<Schemas['OrderList']>('/orders', filter);
        return { rows: page.data.map(rowOf), next: page.next_cursor };
      }}
      everyMs={livePortal.everyMs}
      placeholder={t('A part of your reference')}
      empty={(searched, hasOlder) => {
        if (hasOlder) return t('No newer order has it. Search the older ones below.');
        if (searched !== '') return t('No order has this in its reference.');
        return status === '' ? t('There is no order yet.') : t('No order has this status.');
      }}
    >
      {() => (
        <AddressSelect name="status" label="Status" options={wordsOf('statuses', orderStatuses)} />
      )}
    </OrderList>
  );
};
