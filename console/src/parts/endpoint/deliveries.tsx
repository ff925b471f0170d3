import { deliveryStates } from '@pto/proto/vocabulary';
import { eventCatalog } from '@pto/representation';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { AddressSelect, wordsOf } from '../address-select.tsx';
import { LastAttempt } from '../attempts.tsx';
import { Badge } from '../badge.tsx';
import { deliveryColumns } from '../delivery-columns.tsx';
import { OrderName } from '../order-name.tsx';
import { Pages, usePageId } from '../pages.tsx';
import { QuietButton } from '../quiet-button.tsx';
import type { Schemas } from '../schemas.ts';
import { type Column, Rows, Table } from '../table.tsx';
import { Time } from '../time.tsx';
import { useAddress } from '../use-address.ts';
import { Confirm } from '../window.tsx';
import { t } from '../words.ts';
import { DeliveryBody } from './body.tsx';
import { useMetrics } from './metrics.tsx';
import { Recover } from './recover.tsx';
import type { EndpointParts } from './source.ts';

const events = Object.keys(eventCatalog).filter((one) => one !== 'order.test');
const eventOptions = [['', 'All events'], ...events.map((one) => [one, one] as const)] as const;

/** Reads a page of the deliveries to an endpoint. */
export const useDeliveries = (
  source: EndpointParts['source'],
  id: string,
  { state = '', event = '', cursor = '', enabled = true },
) =>
  useCall(
    ['endpoint', id, 'deliveries', state, event, cursor],
    () => source.deliveries(id, { state, event, cursor }),
    { ...source.live, enabled },
  );

type Deliveries = readonly [Schemas['Delivery'], ...Schemas['Delivery'][]];

/** Whether an attempt failed, and none has succeeded. */
export const fails = ({ state, attempts }: Schemas['Delivery']): boolean =>
  state !== 'DELIVERED' && attempts.length > 0;

/** Returns deliveries by their orders, those with one that fails first. */
const byOrder = (deliveries: readonly Schemas['Delivery'][]): readonly Deliveries[] =>
  [...Map.groupBy(deliveries, ({ order_id }) => order_id).values()]
    .map((of) => of as unknown as Deliveries)
    .toSorted((one, other) => Number(other.some(fails)) - Number(one.some(fails)));

const stateOf = (of: Deliveries): string => {
  const { state } = of.find(fails) ?? of[0];
  return state === 'PENDING' && of.some(fails) ? 'FAILING' : state;
};

/** A line about the deliveries of an order, the newest first. */
const orderColumns: readonly Column<Deliveries>[] = [
  ['Order', ([of]) => <OrderName id={of.order_id} reference={of.order_external_id} />],
  ['State', (of) => <Badge of={stateOf(of)} />, 'state'],
  ['Response', (of) => <LastAttempt of={(of.find(fails) ?? of[0]).attempts} />],
  ['Queued', ([{ created_at }]) => <Time at={created_at} />],
];

/** The deliveries to an endpoint, with what was sent and replays of one or of all failed ones. */
export const EndpointDeliveries = ({ source, may, endpoint }: EndpointParts) => {
  const { id } = endpoint;
  const queries = useQueryClient();
  const address = useAddress();
  const cursor = usePageId();
  const [shown, setShown] = useState('');
  const [replayed, setReplayed] = useState<Schemas['Delivery']>();
  const [isRecovering, setRecovering] = useState(false);
  const [result, setResult] = useState('');
  const withCommandId = useCommandIds();
  const state = address.get('state', deliveryStates);
  const event = address.get('event', events);
  const list = useDeliveries(source, id, { state, event, cursor });
  const failed = useMetrics(source, id).data?.days.reduce((sum, day) => sum + day.failed, 0) ?? 0;
  const hasFailed = list.data?.data.some((of) => of.state === 'EXHAUSTED');
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  /** A failed delivery has its button in the row, a delivered one in the folded part. */
  const replay = (of: Schemas['Delivery'], state: Schemas['Delivery']['state']) =>
    may.recover &&
    of.state === state && <QuietButton onClick={() => setReplayed(of)}>{t('Replay')}</QuietButton>;
  const columns: readonly Column<Schemas['Delivery']>[] = [
    ...deliveryColumns((of) => (
      <>
        {source.body && (
          <QuietButton onClick={() => setShown(of.id)}>{t('What was sent')}</QuietButton>
        )}
        {replay(of, 'DELIVERED')}
      </>
    )),
    ...(hasFailed
      ? [['Actions', (of) => replay(of, 'EXHAUSTED')] satisfies Column<Schemas['Delivery']>]
      : []),
  ];
  return (
    <section aria-label={t('Deliveries')}>
      <div className="bar">
        <h2>{t('Deliveries')}</h2>
        <AddressSelect name="state" label="State" options={wordsOf('statuses', deliveryStates)} />
        <AddressSelect name="event" label="Event" options={eventOptions} />
        {may.recover && (hasFailed || failed > 0) && (
          <QuietButton onClick={() => setRecovering(true)}>{t('Replay all failed')}</QuietButton>
        )}
      </div>
      {result !== '' && <p role="status">{result}</p>}
      <div className="deliveries">
        <Table
          query={list}
          rows={({ data }) => byOrder(data)}
          id={([{ order_id }]) => order_id}
          columns={orderColumns}
          caption="Deliveries"
          empty={t(state + event === '' ? 'Nothing was sent yet.' : 'None is here.')}
          folded={(of) => <Rows of={of} columns={columns} caption="Deliveries" />}
        />
      </div>
      <Pages next={list.data?.next_cursor ?? undefined} />
      {source.body && shown !== '' && (
        <DeliveryBody id={shown} read={source.body} onClose={() => setShown('')} />
      )}
      {replayed && (
        <Confirm
          title={t('Replay the delivery')}
          text={t('The same {event} is sent again, as a new delivery.', { event: replayed.event })}
          isRepeatable={source.isReplayedOnce}
          onClose={() => setReplayed(undefined)}
          actions={{
            [t('Replay')]: async () => {
              await withCommandId(`replay ${replayed.id}`, (commandId) =>
                source.replay(replayed, commandId),
              );
              await changed();
            },
          }}
        />
      )}
      {isRecovering && (
        <Recover
          recover={(span) => source.recover(id, span)}
          sinceMs={Date.parse(endpoint.created_at)}
          onClose={() => setRecovering(false)}
          onDone={async (queued) => {
            setResult(queued);
            await changed();
          }}
        />
      )}
    </section>
  );
};
