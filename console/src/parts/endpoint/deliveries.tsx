import { deliveryStates } from '@pto/proto/vocabulary';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { AddressSelect, wordsOf } from '../address-select.tsx';
import { deliveryColumns } from '../delivery-columns.tsx';
import { OrderName } from '../order-name.tsx';
import { Pages, usePageId } from '../pages.tsx';
import type { Schemas } from '../schemas.ts';
import { type Column, Table } from '../table.tsx';
import { useAddress } from '../use-address.ts';
import { Confirm } from '../window.tsx';
import { t } from '../words.ts';
import { DeliveryBody } from './body.tsx';
import { Recover } from './recover.tsx';
import type { EndpointParts } from './source.ts';

/** Reads a page of the deliveries to an endpoint. */
export const useDeliveries = (
  source: EndpointParts['source'],
  id: string,
  { state = '', cursor = '', enabled = true },
) =>
  useCall(
    ['endpoint', id, 'deliveries', state, cursor],
    () => source.deliveries(id, { state, cursor }),
    { ...source.live, enabled },
  );

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
  const list = useDeliveries(source, id, { state, cursor });
  const hasFailed = list.data?.data.some((of) => of.state === 'EXHAUSTED');
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  /** A failed delivery has its button in the row, a delivered one in the folded part. */
  const replay = (of: Schemas['Delivery'], state: Schemas['Delivery']['state']) =>
    may.recover &&
    of.state === state && (
      <button type="button" className="quiet" onClick={() => setReplayed(of)}>
        {t('Replay')}
      </button>
    );
  const columns: readonly Column<Schemas['Delivery']>[] = [
    ['Order', (of) => <OrderName id={of.order_id} reference={of.order_external_id} />],
    ...deliveryColumns((of) => (
      <>
        {source.body && (
          <button type="button" className="quiet" onClick={() => setShown(of.id)}>
            {t('What was sent')}
          </button>
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
        {may.recover && (
          <button type="button" className="quiet" onClick={() => setRecovering(true)}>
            {t('Replay all failed')}
          </button>
        )}
      </div>
      {result !== '' && <p role="status">{result}</p>}
      <Table
        query={list}
        rows={({ data }) => data}
        id={(delivery) => delivery.id}
        columns={columns}
        caption="Deliveries"
        empty={t(state === '' ? 'Nothing was sent yet.' : 'No delivery is in this state.')}
      />
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
