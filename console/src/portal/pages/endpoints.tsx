import { Link } from 'wouter';
import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Failures } from '../../parts/failures.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { read, type Schemas } from '../api.ts';
import { livePortal } from '../session.ts';

const columns: readonly Column<Schemas['WebhookEndpoint']>[] = [
  [
    'URL',
    ({ id, url }) => (
      <Link href={`/endpoints/${id}`}>
        <Text of={url} />
      </Link>
    ),
  ],
  ['Status', ({ status, disabled }) => <Badge of={disabled ? 'DISABLED' : status} />],
  ['Failures in a row', ({ consecutive_failures }) => <Failures of={consecutive_failures} />],
  ['Last success', ({ last_success_at }) => <Time at={last_success_at ?? ''} />],
  ['Becomes broken', ({ health }) => (health.breaks_at ? <Time at={health.breaks_at} /> : '')],
];

/** The webhook endpoints of the organization, with their health. */
export const EndpointsPage = () => (
  <>
    <div className="bar">
      <h1>Endpoints</h1>
    </div>
    <Table
      query={useCall(
        ['endpoints'],
        () => read<Schemas['WebhookEndpoint'][]>('/webhooks'),
        livePortal,
      )}
      rows={(endpoints) => endpoints}
      id={({ id }) => id}
      columns={columns}
      caption="Endpoints"
      empty={
        <>
          There is no webhook endpoint. <code>POST /webhooks</code> creates one.
        </>
      }
    />
  </>
);
