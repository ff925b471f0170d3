import { deliveryStates } from '@pto/proto/vocabulary';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCall } from '../../calls/use-call.ts';
import { AddressSelect, wordsOf } from '../../parts/address-select.tsx';
import { Badge } from '../../parts/badge.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Failures } from '../../parts/failures.tsx';
import { Pages, usePageId } from '../../parts/pages.tsx';
import { Pending } from '../../parts/pending.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Confirm } from '../../parts/window.tsx';
import { command, read, type Schemas } from '../api.ts';
import { livePortal, usePermitted } from '../session.ts';
import { deliveryColumns } from './deliveries.tsx';
import { EndpointCommands } from './endpoint/commands.tsx';

type Delivery = Schemas['Delivery'];

const { event, state, order, attempts, next, queued } = deliveryColumns;

/** One endpoint: its health, its deliveries, and what a partner can do with it. */
export const EndpointPage = ({ id }: { id: string }) => {
  const { changesEndpoints } = usePermitted();
  const queries = useQueryClient();
  const address = useAddress();
  const [wanted, cursor] = [address.get('state', deliveryStates), usePageId()];
  const [replayed, setReplayed] = useState<Delivery>();
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  const shown = useCall(
    ['endpoint', id],
    () => read<Schemas['WebhookEndpoint']>(`/webhooks/${id}`),
    livePortal,
  );
  const list = useCall(
    ['endpoint', id, 'deliveries', wanted, cursor],
    () =>
      read<Schemas['DeliveryList']>(`/webhooks/${id}/deliveries`, {
        state: wanted,
        cursor,
        limit: '25',
      }),
    livePortal,
  );
  if (!shown.data) return <Pending of="Endpoint" query={shown} />;
  const endpoint = shown.data;
  const replay = async (delivery: Delivery) => {
    await command('POST', `/webhooks/${id}/deliveries/${delivery.id}/replay`);
    await changed();
  };
  const columns: readonly Column<Delivery>[] = [
    ...[event, state, order, attempts, next, queued],
    [
      'Actions',
      (delivery) =>
        changesEndpoints &&
        delivery.state !== 'PENDING' && (
          <button type="button" className="quiet" onClick={() => setReplayed(delivery)}>
            Replay
          </button>
        ),
    ],
  ];
  return (
    <>
      <title>Endpoint – Portal</title>
      <div className="bar">
        <h1 className="url">
          <Text of={endpoint.url} />
        </h1>
        <Badge of={endpoint.disabled ? 'DISABLED' : endpoint.status} />
      </div>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Copy text={endpoint.id} />
        </dd>
        <dt>Events</dt>
        <dd>{endpoint.event_filter?.join(', ') ?? 'all'}</dd>
        <dt>Failures in a row</dt>
        <dd>
          <Failures of={endpoint.consecutive_failures} />
        </dd>
        <dt>Becomes broken</dt>
        <dd>
          {endpoint.health.breaks_at ? <Time at={endpoint.health.breaks_at} /> : 'not foreseen'}
        </dd>
        <dt>Last success</dt>
        <dd>
          <Time at={endpoint.last_success_at ?? ''} />
        </dd>
      </dl>
      {changesEndpoints && <EndpointCommands endpoint={endpoint} changed={changed} />}
      <div className="bar">
        <h2>Deliveries</h2>
        <AddressSelect name="state" label="State" options={wordsOf('states', deliveryStates)} />
      </div>
      <Table
        query={list}
        rows={({ data }) => data}
        id={(delivery) => delivery.id}
        columns={columns}
        caption="Deliveries"
        empty={wanted === '' ? 'Nothing was sent yet.' : 'No delivery is in this state.'}
      />
      {replayed && (
        <Confirm
          title={`Replay: ${replayed.event}`}
          text="The same body is sent again, as a new delivery."
          open
          onClose={() => setReplayed(undefined)}
          actions={[['Replay', () => replay(replayed)]]}
        />
      )}
      <Pages next={list.data?.next_cursor ?? undefined} />
    </>
  );
};
