import type { Order } from '@pto/proto/orders/v1/orders';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { OrderDeliveries } from '../../parts/order-deliveries.tsx';

/** Reads the order's deliveries to all endpoints of its organization, live. */
export const Deliveries = ({ order }: { order: Order }) => {
  const { id: orderId, organizationId, sequence, updatedAt } = order;
  const query = useCall(
    ['order', orderId, 'deliveries'],
    async () => {
      const request = { orderId, organizationId, refresh: true };
      const { deliveries, hasMore } = await clients.deliveries.listOrderDeliveries(request);
      const shown = deliveries.map(({ endpointAddress, endpointDeletedAt, ...delivery }) => ({
        ...delivery,
        address: endpointAddress,
        deletedAt: endpointDeletedAt,
      }));
      return { deliveries: shown, hasMore };
    },
    { live: true },
  );
  return (
    <OrderDeliveries query={query} order={{ hasEvents: sequence > 0, changedAt: updatedAt }} />
  );
};
