import type { Delivery } from '@pto/proto/webhooks/v1/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { Attempts } from '../parts/attempts.tsx';
import { Badge } from '../parts/badge.tsx';
import { Copy } from '../parts/copy.tsx';
import { useMay } from '../parts/me.ts';
import { useOrganizationName } from '../parts/organizations.ts';
import { Pending } from '../parts/pending.tsx';
import { shortId } from '../parts/short-id.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Confirm, Window } from '../parts/window.tsx';

const titles = { test: 'Test', verify: 'Verify', disable: 'Disable', enable: 'Enable' } as const;
type Step = keyof typeof titles;

/** One endpoint: its health, its deliveries with what was sent, and what an operator can do. */
export const EndpointPage = ({ id }: { id: string }) => {
  const may = useMay();
  const queries = useQueryClient();
  const nameOf = useOrganizationName();
  const [state, setState] = useState('');
  const [step, setStep] = useState<Step>();
  const [result, setResult] = useState('');
  const [body, setBody] = useState<string>();
  const shown = useCall(['endpoint', id], () => clients.deliveries.showEndpoint({ id }));
  const list = useCall(['endpoint', id, 'deliveries', state], () =>
    clients.deliveries.listDeliveries({ endpointId: id, state }),
  );
  if (!shown.data) return <Pending of="Endpoint" query={shown} />;
  const endpoint = shown.data.endpoint!;
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  const steps: Readonly<Record<Step, readonly [text: string, act: () => Promise<string>]>> = {
    test: [
      'A signed test request is sent to the endpoint now.',
      async () => {
        const { delivered, statusCode, error } = await clients.deliveries.sendTest({ id });
        return delivered ? `Delivered: ${statusCode}.` : `Not delivered: ${statusCode ?? error}.`;
      },
    ],
    verify: [
      'The handshake is repeated. If it passes, deliveries go on.',
      async () => {
        const { verified, handshake } = await clients.deliveries.repeatHandshake({ id });
        return verified ? 'The handshake passed.' : `The handshake failed: ${handshake?.reason}.`;
      },
    ],
    disable: [
      'No delivery is made until the endpoint is enabled again.',
      async () => {
        await clients.deliveries.setEndpointDisabled({ id, disabled: true });
        return 'Disabled.';
      },
    ],
    enable: [
      'Deliveries go on from now. What was missed is queued by `operator endpoint recover`.',
      async () => {
        await clients.deliveries.setEndpointDisabled({ id, disabled: false });
        return 'Enabled.';
      },
    ],
  };
  const showBody = async (delivery: Delivery) => {
    const { body } = await clients.deliveries.getDeliveryBody({ id: delivery.id });
    setBody(JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, 2));
  };
  const replay = async (delivery: Delivery) => {
    await clients.deliveries.replayDelivery({ id: delivery.id });
    await changed();
  };
  const columns: readonly Column<Delivery>[] = [
    ['Event', ({ event }) => event],
    ['State', (delivery) => <Badge of={delivery.state} />],
    ['Order', ({ orderId }) => <Link href={`/orders/${orderId}`}>{shortId(orderId)}</Link>],
    ['Attempts', ({ attempts }) => <Attempts of={attempts} />],
    ['Next', ({ dueAt }) => (dueAt === '' ? '' : <Time at={dueAt} />)],
    ['Queued', ({ createdAt }) => <Time at={createdAt} />],
    [
      'Do',
      (delivery) => (
        <>
          <button type="button" className="quiet" onClick={() => showBody(delivery)}>
            Body
          </button>
          {may('dispatcher', 'support') && delivery.state !== 'PENDING' && (
            <button type="button" className="quiet" onClick={() => replay(delivery)}>
              Replay
            </button>
          )}
        </>
      ),
    ],
  ];
  const { health, consecutiveFailures, status, disabled } = endpoint;
  return (
    <>
      <div className="bar">
        <h1 className="url">{endpoint.url}</h1>
        <Badge of={disabled ? 'DISABLED' : status} />
        <Link href={`/organizations/${endpoint.organizationId}`}>
          {nameOf(endpoint.organizationId)}
        </Link>
      </div>
      <dl className="facts">
        <dt>Id</dt>
        <dd>
          <Copy text={id} />
        </dd>
        <dt>Failures in a row</dt>
        <dd>
          {consecutiveFailures}
          {health && health.failureRatio > 0 && (
            <meter min={0} max={1} high={0.7} optimum={0} value={health.failureRatio}>
              {Math.round(health.failureRatio * 100)} %
            </meter>
          )}
        </dd>
        <dt>Becomes broken</dt>
        <dd>{health?.breaksAt ? <Time at={health.breaksAt} /> : 'not foreseen'}</dd>
        <dt>Last success</dt>
        <dd>
          <Time at={endpoint.lastSuccessAt} />
        </dd>
      </dl>
      {may('dispatcher', 'support', 'admin') && (
        <div className="actions start">
          {(['test', 'verify', disabled ? 'enable' : 'disable'] as const).map((one) => (
            <button key={one} type="button" className="quiet" onClick={() => setStep(one)}>
              {titles[one]}
            </button>
          ))}
        </div>
      )}
      {result !== '' && <p role="status">{result}</p>}
      <div className="bar">
        <h2>Deliveries</h2>
        <select aria-label="State" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">All</option>
          {['PENDING', 'DELIVERED', 'EXHAUSTED'].map((one) => (
            <option key={one} value={one}>
              {one.toLowerCase()}
            </option>
          ))}
        </select>
      </div>
      <Table
        query={list}
        rows={({ deliveries }) => deliveries}
        id={(delivery) => delivery.id}
        columns={columns}
        caption="Deliveries"
        empty="No delivery is here."
      />
      <Window title="What was sent" open={body !== undefined} onClose={() => setBody(undefined)}>
        <pre>{body}</pre>
      </Window>
      {step && (
        <Confirm
          title={titles[step]}
          text={steps[step][0]}
          open
          onClose={() => setStep(undefined)}
          actions={[
            [
              titles[step],
              async () => {
                setResult(await steps[step][1]());
                await changed();
              },
            ],
          ]}
        />
      )}
    </>
  );
};
