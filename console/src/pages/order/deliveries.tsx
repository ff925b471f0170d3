import type { Delivery } from '@pto/proto/webhooks/v1/webhooks';
import { Link } from 'wouter';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Attempts } from '../../parts/attempts.tsx';
import { Badge } from '../../parts/badge.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

const columns: readonly Column<Delivery>[] = [
  ['Event', ({ event }) => event],
  ['State', ({ state }) => <Badge of={state} />],
  [
    'Endpoint',
    ({ endpointId }) => <Link href={`/endpoints/${endpointId}`}>{endpointId.slice(0, 8)}</Link>,
  ],
  ['Attempts', ({ attempts }) => <Attempts of={attempts} />],
  ['Next attempt', ({ dueAt }) => (dueAt === '' ? '' : <Time at={dueAt} />)],
  ['Queued', ({ createdAt }) => <Time at={createdAt} />],
];

/** Whether the partner was told: the order's deliveries to all endpoints. */
export const Deliveries = (order: { orderId: string; organizationId: string }) => {
  const query = useCall(
    ['order', order.orderId, 'deliveries'],
    () => clients.deliveries.listOrderDeliveries({ ...order, refresh: true }),
    { live: true },
  );
  return (
    <section aria-label="Deliveries">
      <h2>Deliveries</h2>
      <Table
        query={query}
        rows={({ deliveries }) => deliveries}
        id={({ id }) => id}
        columns={columns}
        caption="Deliveries"
        empty="Nothing was sent for this order: no verified endpoint subscribes to its events. See the endpoints of the organization."
      />
    </section>
  );
};
