import type { UntoldOrder } from '@pto/proto/webhooks/v1/webhooks';
import { counted } from '../../parts/counted.ts';
import { Finding } from '../../parts/finding.tsx';
import { LinkedText } from '../../parts/linked-text.tsx';
import { useMay } from '../../parts/me.ts';
import { OrderName } from '../../parts/order-name.tsx';
import { type Column, Rows } from '../../parts/table.tsx';
import { useUntoldQuery } from '../../parts/use-untold.ts';

/** More orders are folded at first. */
const openMax = 5;

const columns: readonly Column<UntoldOrder>[] = [
  ['Order', (of) => <OrderName id={of.orderId} reference={of.orderExternalId} />],
  ['Endpoint', (of) => <LinkedText of={of.endpointAddress} at={`/endpoints/${of.endpointId}`} />],
];

/** Orders of which an endpoint was not told, live; those that are open are exceptions of Now, too. */
export const UntoldOrders = () => {
  const isPermitted = useMay()('support', 'dispatcher', 'admin');
  const { query } = useUntoldQuery();
  if (!isPermitted) return null;
  const rows = query.data?.orders ?? [];
  return (
    <section aria-label="Orders that an endpoint was not told of">
      <Finding
        query={query}
        tone={rows.length === 0 ? 'good' : 'warns'}
        says={
          rows.length === 0
            ? 'No endpoint has missed an order for longer than its first attempts.'
            : `${counted(rows.length, 'order is', 'orders are')} unknown to an endpoint.`
        }
        isOpen={rows.length > 0 && rows.length <= openMax}
      >
        {rows.length > 0 && (
          <Rows
            of={rows}
            id={({ orderId }) => orderId}
            columns={columns}
            caption="Orders that an endpoint was not told of"
          />
        )}
      </Finding>
    </section>
  );
};
