import { Link } from 'wouter';
import { useCall } from '../calls/use-call.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { changedAt, type OrderSource, type ShownOrder } from './order/source.ts';
import { NotReadAgain, Waiting } from './pending.tsx';
import type { Schemas } from './schemas.ts';
import { shortId } from './short-id.ts';
import { type Column, Rows } from './table.tsx';
import { Text } from './text.tsx';
import { Time } from './time.tsx';

type Delivery = Schemas['Delivery'];

const { event, state, attempts, next, queued } = deliveryColumns;
const columns: readonly Column<Delivery>[] = [event, state, attempts, next, queued];

/** Whether the partner was told: the order's deliveries, live, with a line for each endpoint. */
export const OrderDeliveries = <Own, Chain>({
  source,
  shown,
}: {
  source: OrderSource<Own, Chain>;
  shown: ShownOrder<Own>;
}) => {
  const query = useCall(['order', shown.order.id, 'deliveries'], () => source.deliveries(shown), {
    live: true,
    everyMs: source.everyMs?.deliveries,
  });
  const groups = query.data && [
    ...Map.groupBy(query.data.data, ({ endpoint_id }) => endpoint_id).values(),
  ];
  return (
    <section aria-label="Deliveries">
      <h2>Deliveries</h2>
      {groups ? (
        <NotReadAgain query={query} />
      ) : (
        <Waiting label="Loading Deliveries" query={query} />
      )}
      {groups?.length === 0 && <p className="empty">{nothing(shown)}</p>}
      {groups?.map((of) => (
        <Group key={of[0]!.endpoint_id} of={of} all={groups} />
      ))}
      {query.data?.has_more && <p className="faint">The order has more; these are the newest.</p>}
    </section>
  );
};

const retentionMs = 30 * 86_400_000;

/** Why nothing is listed, about the time of the events. Deliveries are stored for 30 days. */
const nothing = ({ order, events }: ShownOrder): string => {
  if (events === undefined ? order.status === 'DRAFT' : events === 0)
    return 'Nothing was sent for this order: it is a draft, without an event.';
  if (Date.now() - Date.parse(changedAt(order)) > retentionMs)
    return 'Deliveries are stored for 30 days, and the last event of this order is older.';
  return 'Nothing was sent for this order: no endpoint that was verified and enabled at the time of its events subscribed to them.';
};

/** The deliveries to one endpoint under its host and path. */
const Group = ({ of, all }: { of: readonly Delivery[]; all: readonly (readonly Delivery[])[] }) => {
  const { endpoint_id, endpoint_address: address, endpoint_deleted_at: deletedAt } = of[0]!;
  const isAmbiguous = all.some(
    ([other]) => other!.endpoint_id !== endpoint_id && other!.endpoint_address === address,
  );
  const name = <Text of={address || shortId(endpoint_id)} />;
  return (
    <>
      <h3 className="endpoint">
        {deletedAt ? name : <Link href={`/endpoints/${endpoint_id}`}>{name}</Link>}
        {isAmbiguous && <span className="faint">{shortId(endpoint_id)}</span>}
        {[...Map.groupBy(of, ({ state }) => state)].map(([state, { length }]) => (
          <span key={state} className="faint">
            {length} {state.toLowerCase()}
          </span>
        ))}
        {deletedAt && (
          <span className="faint">
            endpoint deleted <Time at={deletedAt} />
          </span>
        )}
      </h3>
      <Rows
        of={of}
        id={({ id }) => id}
        columns={columns}
        caption={`Deliveries to ${address ?? ''}`}
        empty=""
      />
    </>
  );
};
