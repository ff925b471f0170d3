import { useCall } from '../../../calls/use-call.ts';
import { Table } from '../../../parts/table.tsx';
import { read, type Schemas } from '../../api.ts';
import { paced } from '../../pace.ts';
import { deliveryColumns } from '../deliveries.tsx';

/** Time between two reads, in ms: each costs a request for each endpoint. */
const everyMs = 15_000;

const { event, state, endpoint, attempts, next, queued } = deliveryColumns;

/** Whether the partner's systems were told: the order's deliveries to all endpoints. */
export const Deliveries = ({ orderId }: { orderId: string }) => {
  const query = useCall(
    ['order', orderId, 'deliveries'],
    async () => {
      const endpoints = await read<Schemas['WebhookEndpoint'][]>('/webhooks');
      const lists = await Promise.all(
        endpoints.map(({ id }) =>
          read<Schemas['DeliveryList']>(`/webhooks/${id}/deliveries`, {
            order_id: orderId,
            limit: '100',
          }),
        ),
      );
      return lists
        .flatMap(({ data }) => data)
        .sort((one, other) => other.created_at.localeCompare(one.created_at));
    },
    { live: true, everyMs: paced(everyMs) },
  );
  return (
    <section aria-label="Deliveries">
      <h2>Deliveries</h2>
      <Table
        query={query}
        rows={(deliveries) => deliveries}
        id={({ id }) => id}
        columns={[event, state, endpoint, attempts, next, queued]}
        caption="Deliveries"
        empty="Nothing was sent for this order: no verified endpoint subscribes to its events."
      />
    </section>
  );
};
