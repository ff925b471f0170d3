import { orderJson } from '@pto/representation';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Badge } from '../parts/badge.tsx';
import { titled } from '../parts/environment.ts';
import { OrderMap } from '../parts/map.tsx';
import { Fact, OrderFacts } from '../parts/order-facts.tsx';
import { NotReadAgain, Pending } from '../parts/pending.tsx';
import { shortId } from '../parts/short-id.ts';
import { Text } from '../parts/text.tsx';
import { visibleText } from '../parts/visible-text.ts';
import { OrderActions } from './order/actions.tsx';

/** An order as its carrier sees it: what to do, and no custody history (decision 84). */
export const CarrierOrderPage = ({ id }: { id: string }) => {
  const query = useCall(['order', id], () => clients.orders.showOrder({ orderId: id }), {
    live: true,
  });
  if (!query.data) return <Pending of="Order" query={query} />;
  const own = query.data.order!;
  const order = orderJson(own);
  const name = order.external_id ?? shortId(id);
  return (
    <>
      <title>{`${visibleText(name)} – ${titled('Console')}`}</title>
      <NotReadAgain query={query} />
      <div className="bar">
        <h1>
          <Text of={name} />
        </h1>
        <Badge of={order.status} />
      </div>
      <OrderActions order={own} />
      <div className="beside">
        <OrderFacts order={order}>
          <Fact name="Driver assigned">
            {own.driver ? <Text of={own.driver} /> : <span className="faint">not assigned</span>}
          </Fact>
        </OrderFacts>
        <OrderMap order={order} />
      </div>
    </>
  );
};
