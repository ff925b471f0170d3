import { useQueryClient } from '@tanstack/react-query';
import { useCall } from '../calls/use-call.ts';
import { EndpointLine } from './order/endpoint-line.tsx';
import { changedAt, type OrderSource, type ShownOrder } from './order/source.ts';
import { NotReadAgain, Waiting } from './pending.tsx';
import { t } from './words.ts';

/**
 * What the partner has received: the order's deliveries, live, with a line for each endpoint.
 * @param sendsAgain whether the person may send again what an endpoint has not received.
 */
export const OrderDeliveries = <Own, Chain>({
  source,
  shown,
  sendsAgain,
}: {
  source: OrderSource<Own, Chain>;
  shown: ShownOrder<Own>;
  sendsAgain: boolean;
}) => {
  const queries = useQueryClient();
  const key = ['order', shown.order.id, 'deliveries'];
  const query = useCall(key, () => source.deliveries(shown), {
    live: true,
    everyMs: source.everyMs?.deliveries,
  });
  const groups = query.data?.endpoints;
  const deliveries = Map.groupBy(query.data?.data ?? [], ({ endpoint_id }) => endpoint_id);
  const sendAgain = async (endpointId: string) => {
    const { queued, retried } = await source.sendAgain(shown, endpointId);
    await queries.invalidateQueries({ queryKey: key });
    return t('{count} sent again', { count: queued + retried });
  };
  return (
    <section aria-label={t('Deliveries')}>
      <h2>{t('Deliveries')}</h2>
      {groups ? (
        <NotReadAgain query={query} />
      ) : (
        <Waiting label="Loading Deliveries" query={query} />
      )}
      {groups?.length === 0 && <p className="empty">{nothing(shown)}</p>}
      {groups?.map((of) => (
        <EndpointLine
          key={of.endpoint_id}
          of={of}
          deliveries={deliveries.get(of.endpoint_id) ?? []}
          isAmbiguous={groups.some(
            (other) => other !== of && other.endpoint_address === of.endpoint_address,
          )}
          sendAgain={sendsAgain ? () => sendAgain(of.endpoint_id) : undefined}
        />
      ))}
      {query.data?.has_more && (
        <p className="faint">{t('The order has more; these are the newest.')}</p>
      )}
    </section>
  );
};

const retentionMs = 30 * 86_400_000;

/** Why nothing is listed, about the time of the events. Deliveries are stored for 30 days. */
const nothing = ({ order, events }: ShownOrder): string => {
  if (events === undefined ? order.status === 'DRAFT' : events === 0)
    return t('Nothing was sent for this order: it is a draft, without an event.');
  if (Date.now() - Date.parse(changedAt(order)) > retentionMs)
    return t('Deliveries are stored for 30 days, and the last event of this order is older.');
  return t(
    'Nothing was sent for this order: no endpoint that was verified and enabled at the time of its events subscribed to them.',
  );
};
