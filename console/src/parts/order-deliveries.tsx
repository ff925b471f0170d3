import { firstLine } from '@pto/representation';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useCall } from '../calls/use-call.ts';
import { Badge } from './badge.tsx';
import { deliveryColumns } from './delivery-columns.tsx';
import { changedAt, type OrderSource, type ShownOrder } from './order/source.ts';
import { NotReadAgain, Waiting } from './pending.tsx';
import { Problem } from './problem.tsx';
import type { Schemas } from './schemas.ts';
import { shortId } from './short-id.ts';
import { type Column, Rows } from './table.tsx';
import { Text } from './text.tsx';
import { Time } from './time.tsx';
import { useCommand } from './use-command.ts';

type Delivery = Schemas['Delivery'];
type Attempt = Schemas['DeliveryAttempt'];
type Summary = Schemas['EndpointSummary'];

const { order: _, ...columns } = deliveryColumns;

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
    return `${queued + retried} sent again`;
  };
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
        <Group
          key={of.endpoint_id}
          of={of}
          deliveries={deliveries.get(of.endpoint_id) ?? []}
          isAmbiguous={groups.some(
            (other) => other !== of && other.endpoint_address === of.endpoint_address,
          )}
          sendAgain={sendsAgain ? () => sendAgain(of.endpoint_id) : undefined}
        />
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

/** One line that says what one endpoint has received, and the deliveries to it under the line. */
const Group = ({
  of,
  deliveries,
  isAmbiguous,
  sendAgain,
}: {
  of: Summary;
  deliveries: readonly Delivery[];
  isAmbiguous: boolean;
  sendAgain: (() => Promise<string>) | undefined;
}) => {
  const { endpoint_id, endpoint_address: address, endpoint_deleted_at: deletedAt } = of;
  const name = <Text of={address || shortId(endpoint_id)} />;
  const isComplete = of.delivered === of.events;
  const canSend = sendAgain && (of.failed > 0 || of.last_failure != null);
  return (
    <>
      <div className="endpoint">
        <h3>{deletedAt ? name : <Link href={`/endpoints/${endpoint_id}`}>{name}</Link>}</h3>
        {isAmbiguous && <span className="faint">{shortId(endpoint_id)}</span>}
        <strong className={isComplete ? 'good' : 'bad'}>
          {of.delivered} of {of.events}
        </strong>
        {of.last_delivered_at && (
          <span className="faint">
            last <Time at={of.last_delivered_at} />
          </span>
        )}
        {of.last_failure && <Failure of={of.last_failure} />}
        {of.due_at && !isComplete && (
          <span className="faint">
            next attempt <Time at={of.due_at} />
          </span>
        )}
        {of.endpoint_disabled && <Badge of="DISABLED" />}
        {of.endpoint_status && of.endpoint_status !== 'ENABLED' && (
          <Badge of={of.endpoint_status} />
        )}
        {deletedAt && (
          <span className="faint">
            endpoint deleted <Time at={deletedAt} />
          </span>
        )}
        {canSend && !deletedAt && !of.endpoint_disabled && <SendAgain send={sendAgain} />}
      </div>
      {deliveries.length > 0 && (
        <details>
          <summary>Deliveries</summary>
          <Rows
            of={deliveries}
            id={({ id }) => id}
            columns={Object.values<Column<Delivery>>(columns)}
            caption={`Deliveries to ${address}`}
            empty=""
          />
        </details>
      )}
    </>
  );
};

/** Why the last attempt failed: the status or the reason, and the receiver's response. */
const Failure = ({ of: { status_code, error, response_body } }: { of: Attempt }) => (
  <span className="failure">
    {status_code ?? error}
    {response_body && (
      <>
        {' '}
        <q>
          <Text of={firstLine(response_body)} />
        </q>
      </>
    )}
  </span>
);

/** Sends again what the endpoint has not received. A repetition sends nothing twice. */
const SendAgain = ({ send }: { send: () => Promise<string> }) => {
  const [result, setResult] = useState('');
  const { error, isBusy, run } = useCommand(() => {});
  return (
    <>
      <button
        type="button"
        className="quiet"
        disabled={isBusy}
        onClick={() => run(async () => setResult(await send()))}
      >
        Send again
      </button>
      {result !== '' && <span role="status">{result}</span>}
      {error !== undefined && <Problem error={error} />}
    </>
  );
};
