import type { OrderSummary } from '@pto/proto/orders/v1/commands';
import { custodyStatuses, orderStatuses } from '@pto/proto/vocabulary';
import { dueOf, incidentsOf } from '../board/columns.ts';
import { holdingOf } from '../board/holding.ts';
import { clients } from '../calls/clients.ts';
import { AddressSelect } from '../parts/address-select.tsx';
import { OrderList, type OrderRow } from '../parts/order/list.tsx';
import { useOrganizationName, useOrganizations } from '../parts/organizations.ts';
import { useAddress } from '../parts/use-address.ts';

const ended: readonly string[] = ['CLOSED', 'CANCELLED'];

const open = orderStatuses.filter((status) => !ended.includes(status));

/** Each with its name, its statuses, and a sentence for no order. */
const filters = {
  open: ['Open', open, 'No order is open. All shows the ended ones, too.'],
  custody: ['In custody', custodyStatuses, 'No order is in custody now.'],
  ended: ['Ended', ended, 'No order has ended yet.'],
  all: ['All', [], 'There is no order yet. Partners create orders by the API.'],
} as const;
type Filter = keyof typeof filters;

const rowOf = (order: OrderSummary): OrderRow => ({
  id: order.id,
  external_id: order.externalId ?? null,
  status: order.status,
  sla: order.sla,
  open_incidents: incidentsOf(order),
  has_custody_fault: order.hasCustodyFault,
  from: order.pickupCity,
  to: order.dropoffCity,
  organization_id: order.organizationId,
  carrier: holdingOf(order).words,
  due: dueOf(order),
  country: order.pickupCountry,
  arrival: order.dropoffEta,
  arrival_country: order.dropoffCountry,
  changed: order.updatedAt,
});

/** Orders of all organizations. */
export const OrdersPage = () => {
  const address = useAddress();
  const [shown, organizationId] = [address.get('show'), address.get('of')];
  const filter = shown in filters ? (shown as Filter) : 'open';
  const organizations = useOrganizations();
  return (
    <OrderList
      filter={[filter, organizationId]}
      read={async (text, afterId) => {
        const statuses = text === '' ? [...filters[filter][1]] : [];
        const request = { text, statuses, organizationId, afterId, refresh: true };
        const page = await clients.orders.searchOrders(request);
        return { rows: page.orders.map(rowOf), next: page.nextAfterId };
      }}
      nameOf={useOrganizationName()}
      placeholder="Reference, id, seal or city"
      empty={(searched) =>
        searched === ''
          ? filters[filter][2]
          : 'Nothing found. Open orders are found by a part of the reference, by seal or city; ended ones by the whole reference or id.'
      }
    >
      {(searched) => (
        <>
          <fieldset className="choice" disabled={searched !== ''}>
            <legend className="hidden">Show</legend>
            {(Object.keys(filters) as Filter[]).map((one) => (
              <label key={one}>
                <input
                  type="radio"
                  name="show"
                  checked={filter === one}
                  onChange={() => address.set({ show: one })}
                />
                {filters[one][0]}
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
        </>
      )}
    </OrderList>
  );
};
