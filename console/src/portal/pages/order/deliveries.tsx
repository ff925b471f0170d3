import { useCall } from '../../../calls/use-call.ts';
import { OrderDeliveries } from '../../../parts/order-deliveries.tsx';
import { read, type Schemas } from '../../api.ts';
import { paced } from '../../pace.ts';
import { shownAttempts } from '../deliveries.tsx';

const everyMs = 15_000;

/** Reads the order's deliveries to all endpoints, live. */
export const Deliveries = ({ order }: { order: Schemas['Order'] }) => {
  const query = useCall(
    ['order', order.id, 'deliveries'],
    async () => {
      const found = await read<Schemas['OrderDeliveries']>(`/orders/${order.id}/deliveries`);
      const deliveries = found.data.map((delivery) => ({
        ...delivery,
        endpointId: delivery.endpoint_id,
        address: delivery.endpoint_address ?? '',
        deletedAt: delivery.endpoint_deleted_at ?? '',
        attempts: shownAttempts(delivery.attempts),
        dueAt: delivery.due_at ?? '',
        createdAt: delivery.created_at,
      }));
      return { deliveries, hasMore: found.has_more };
    },
    { live: true, everyMs: paced(everyMs) },
  );
  const changedAt = order.updated_at ?? order.created_at;
  return (
    <OrderDeliveries query={query} order={{ hasEvents: order.status !== 'DRAFT', changedAt }} />
  );
};
