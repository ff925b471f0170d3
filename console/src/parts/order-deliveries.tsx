import { useQueryClient } from '@tanstack/react-query';
import { useCall } from '../calls/use-call.ts';
import { LinkedText } from './linked-text.tsx';
import { EndpointLine, Failure } from './order/endpoint-line.tsx';
import { changedAt, type OrderSource, type ShownOrder } from './order/source.ts';
import { NotReadAgain, Waiting } from './pending.tsx';
import { Time } from './time.tsx';
import { rich, t } from './words.ts';

const keyOf = ({ order: { id } }: ShownOrder) => ['order', id, 'deliveries'];

const useDeliveries = <Own, Chain>(source: OrderSource<Own, Chain>, shown: ShownOrder<Own>) =>
  useCall(keyOf(shown), () => source.deliveries(shown), {
    live: true,
    everyMs: source.everyMs?.deliveries,
  });

/** In one line which endpoints have received the order's events, and what keeps the others from it. */
export const Told = <Own, Chain>({ source, shown }: Shown<Own, Chain>) => {
  const of = useDeliveries(source, shown).data?.endpoints;
  if (!of) return null;
  const untold = of.filter(({ delivered, events }) => delivered < events);
  const last = of
    .map(({ last_delivered_at: at }) => at ?? '')
    .toSorted()
    .at(-1);
  return (
    <p className="told">
      <a href="#deliveries">{t('Webhooks')}</a>:{' '}
      {of.length === 0 ? (
        t('no endpoint')
      ) : (
        <strong className={untold.length > 0 ? 'bad' : 'good'}>
          {t(
            of.length === 1
              ? 'received by {told} of 1 endpoint'
              : 'received by {told} of {all} endpoints',
            { told: of.length - untold.length, all: of.length },
          )}
        </strong>
      )}
      {untold.length === 0 && last && <>, {rich('last {time}', { time: <Time at={last} /> })}</>}
      {untold.map((one) => (
        <span key={one.endpoint_id}>
          ;{' '}
          <LinkedText
            of={one.endpoint_address}
            at={one.endpoint_deleted_at ? '' : `/endpoints/${one.endpoint_id}`}
          />
          : {one.last_failure && <Failure of={one.last_failure} />}
          {one.last_failure && (one.endpoint_deleted_at ?? one.due_at) && ', '}
          {one.endpoint_deleted_at
            ? rich('endpoint deleted {time}', { time: <Time at={one.endpoint_deleted_at} /> })
            : one.due_at && rich('next attempt {time}', { time: <Time at={one.due_at} /> })}
        </span>
      ))}
    </p>
  );
};

interface Shown<Own, Chain> {
  readonly source: OrderSource<Own, Chain>;
  readonly shown: ShownOrder<Own>;
}

/**
 * What the partner has received: the order's deliveries, live, with a line for each endpoint.
 * @param sendsAgain whether the person may send again what an endpoint has not received.
 */
export const OrderDeliveries = <Own, Chain>({
  source,
  shown,
  sendsAgain,
}: Shown<Own, Chain> & { sendsAgain: boolean }) => {
  const queries = useQueryClient();
  const query = useDeliveries(source, shown);
  const groups = query.data?.endpoints;
  const deliveries = Map.groupBy(query.data?.data ?? [], ({ endpoint_id }) => endpoint_id);
  const sendAgain = async (endpointId: string) => {
    const { queued, retried } = await source.sendAgain(shown, endpointId);
    await queries.invalidateQueries({ queryKey: keyOf(shown) });
    return t('{count} sent again', { count: queued + retried });
  };
  return (
    <section aria-label={t('Deliveries')} id="deliveries">
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
