import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Copy } from '../../parts/copy.tsx';
import { CustodyNow } from '../../parts/custody-now.tsx';
import { Incidents } from '../../parts/incidents.tsx';
import { OrderMap } from '../../parts/map.tsx';
import { NotReadAgain, Pending } from '../../parts/pending.tsx';
import { Priority } from '../../parts/priority.tsx';
import { shortId } from '../../parts/short-id.ts';
import { ExactTime, Time } from '../../parts/time.tsx';
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
      <title>{`${name} – Portal`}</title>
      <div className="bar">
        <h1>{name}</h1>
        <Badge of={order.status} />
        <Incidents of={chain.entries} />
        <span className="faint">
          changed <Time at={order.updated_at ?? order.created_at} />
        </span>
      </div>
      <CustodyNow order={places} entries={chain.verified} />
      <OrderCommands order={order} />
      <div className="beside">
        <Facts order={order} />
        <OrderMap order={places} />
      </div>
      <Chain orderId={order.id} chain={chain} />
      {readsEndpoints && <Deliveries orderId={order.id} />}
    </>
  );
};

const itemsMax = 5;

const Facts = ({ order }: { order: Order }) => {
  const place = (location: Location) =>
    location && `${location.street}, ${location.zip} ${location.city}, ${location.country}`;
  return (
    <section aria-label="Order">
      <h2>Order</h2>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Copy text={order.id} />
        </dd>
        <dt>Priority</dt>
        <dd>
          <Priority of={order.sla} />
        </dd>
        <dt>Pick-up</dt>
        <dd>
          {place(order.pickup_location)}
          {order.pickup_window_start && (
            <>
              <br />
              <ExactTime at={order.pickup_window_start} />
              {order.pickup_window_end && (
                <>
                  {' '}
                  to <ExactTime at={order.pickup_window_end} />
                </>
              )}{' '}
              UTC
            </>
          )}
        </dd>
        <dt>Drop-off</dt>
        <dd>{order.dropoff_address_text ?? place(order.dropoff_location)}</dd>
        <dt>Goods</dt>
        <dd>
          {order.items
            .slice(0, itemsMax)
            .map(({ goods_type, seal_id }) => (seal_id ? `${goods_type} (${seal_id})` : goods_type))
            .join(', ')}
          {order.items.length === 0 && <span className="faint">not given</span>}
          {order.items.length > itemsMax && ` and ${order.items.length - itemsMax} more`}
        </dd>
        {order.notes && (
          <>
            <dt>Notes</dt>
            <dd className="long">{order.notes}</dd>
          </>
        )}
        {order.cancel_reason && (
          <>
            <dt>Cancelled because</dt>
            <dd className="long">{order.cancel_reason}</dd>
          </>
        )}
      </dl>
    </section>
  );
};
