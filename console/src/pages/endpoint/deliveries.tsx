import { deliveryStates } from '@pto/proto/vocabulary';
import type { Delivery, Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { AddressSelect, wordsOf } from '../../parts/address-select.tsx';
import { Attempts } from '../../parts/attempts.tsx';
import { Badge } from '../../parts/badge.tsx';
import { useMay } from '../../parts/me.ts';
import { Pages, usePageId } from '../../parts/pages.tsx';
import { shortId } from '../../parts/short-id.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Confirm } from '../../parts/window.tsx';
import { DeliveryBody } from './body.tsx';
import { Recover } from './recover.tsx';

/** The deliveries to an endpoint, with what was sent and replays of one or of all failed ones. */
export const EndpointDeliveries = ({ endpoint: { id, createdAt } }: { endpoint: Endpoint }) => {
  const may = useMay();
  const queries = useQueryClient();
  const address = useAddress();
  const beforeId = usePageId();
  const [shown, setShown] = useState('');
  const [replayed, setReplayed] = useState<Delivery>();
  const [isRecovering, setRecovering] = useState(false);
  const [result, setResult] = useState('');
  const withCommandId = useCommandIds();
  const state = address.get('state', deliveryStates);
  const list = useCall(['endpoint', id, 'deliveries', state, beforeId], () =>
    clients.deliveries.listDeliveries({ endpointId: id, state, beforeId }),
  );
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  const columns: readonly Column<Delivery>[] = [
    ['Event', ({ event }) => event],
    ['State', (delivery) => <Badge of={delivery.state} />],
    ['Order', ({ orderId }) => <Link href={`/orders/${orderId}`}>{shortId(orderId)}</Link>],
    ['Attempts', ({ attempts }) => <Attempts of={attempts} />],
    ['Next attempt', ({ dueAt }) => (dueAt === '' ? '' : <Time at={dueAt} />)],
    ['Queued', ({ createdAt: at }) => <Time at={at} />],
    [
      'Actions',
      (delivery) => (
        <>
          <button type="button" className="quiet" onClick={() => setShown(delivery.id)}>
            Body
          </button>
          {may('dispatcher') && delivery.state !== 'PENDING' && (
            <button type="button" className="quiet" onClick={() => setReplayed(delivery)}>
              Replay
            </button>
          )}
        </>
      ),
    ],
  ];
  return (
    <section aria-label="Deliveries">
      <div className="bar">
        <h2>Deliveries</h2>
        <AddressSelect name="state" label="State" options={wordsOf('states', deliveryStates)} />
        {may('dispatcher') && (
          <button type="button" className="quiet" onClick={() => setRecovering(true)}>
            Replay all failed
          </button>
        )}
      </div>
      {result !== '' && <p role="status">{result}</p>}
      <Table
        query={list}
        rows={({ deliveries }) => deliveries}
        id={(delivery) => delivery.id}
        columns={columns}
        caption="Deliveries"
        empty={state === '' ? 'Nothing was sent yet.' : 'No delivery is in this state.'}
      />
      <Pages next={list.data?.nextId} />
      {shown !== '' && <DeliveryBody id={shown} onClose={() => setShown('')} />}
      {replayed && (
        <Confirm
          title="Replay the delivery"
          text={`The same ${replayed.event} is sent again, as a new delivery.`}
          open
          isRepeatable
          onClose={() => setReplayed(undefined)}
          actions={[
            [
              'Replay',
              async () => {
                const { id: replayedId } = replayed;
                await withCommandId(`replay ${replayedId}`, (commandId) =>
                  clients.deliveries.replayDelivery({ id: replayedId, commandId }),
                );
                await changed();
              },
            ],
          ]}
        />
      )}
      {isRecovering && (
        <Recover
          id={id}
          sinceMs={Date.parse(createdAt)}
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
