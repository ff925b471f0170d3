import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { CustodyNow } from '../../parts/custody-now.tsx';
import { Incidents } from '../../parts/incidents.tsx';
import { OrderMap } from '../../parts/map.tsx';
import { OrderFacts } from '../../parts/order-facts.tsx';
import { NotReadAgain, Pending } from '../../parts/pending.tsx';
import { shortId } from '../../parts/short-id.ts';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import { read, type Schemas } from '../api.ts';
import { livePortal, usePermitted } from '../session.ts';
import { Chain } from './order/chain.tsx';
import { OrderCommands } from './order/commands.tsx';
import { Deliveries } from './order/deliveries.tsx';
import { useChain } from './order/use-chain.ts';

type Order = Schemas['Order'];
type Location = Order['pickup_location'];

const placed = (location: Location) =>
  location
    ? { ...location, lat: location.lat ?? undefined, lng: location.lng ?? undefined }
    : undefined;

/** One order: who holds it, its custody chain, whether the partner's systems were told. */
export const OrderPage = ({ id }: { id: string }) => {
  const shown = useCall(['order', id], () => read<Order>(`/orders/${id}`), livePortal);
  if (!shown.data) return <Pending of="Order" query={shown} />;
  return (
    <>
      <NotReadAgain query={shown} />
      <Shown order={shown.data} />
    </>
  );
};

const Shown = ({ order }: { order: Order }) => {
  const { readsEndpoints } = usePermitted();
  const chain = useChain(order);
  const name = order.external_id ?? shortId(order.id);
  const places = {
    status: order.status,
    pickupLocation: placed(order.pickup_location),
    dropoffLocation: placed(order.dropoff_location),
    dropoffAddressText: order.dropoff_address_text ?? undefined,
  };
  return (
    <>
      <title>{`${visibleText(name)} – Portal`}</title>
      <div className="bar">
        <h1>
          <Text of={name} />
        </h1>
        <Badge of={order.status} />
        <Incidents of={chain.entries} />
        <span className="faint">
          changed <Time at={order.updated_at ?? order.created_at} />
        </span>
      </div>
      <CustodyNow order={places} entries={chain.verified} />
      <OrderCommands order={order} />
      <div className="beside">
        <OrderFacts order={order} />
        <OrderMap order={places} />
      </div>
      <Chain orderId={order.id} chain={chain} />
      {readsEndpoints && <Deliveries order={order} />}
    </>
  );
};
