import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { Link } from 'wouter';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { Failures } from '../../parts/failures.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

/** The webhook endpoints of an organization. */
export const useEndpoints = (organizationId: string) =>
  useCall(['organization', organizationId, 'endpoints'], () =>
    clients.deliveries.listOrganizationEndpoints({ organizationId }),
  );

const columns: readonly Column<Endpoint>[] = [
  [
    'URL',
    ({ id, url }) => (
      <Link href={`/endpoints/${id}`}>
        <Text of={url} />
      </Link>
    ),
  ],
  ['Status', ({ status, disabled }) => <Badge of={disabled ? 'DISABLED' : status} />],
  ['Failures in a row', ({ consecutiveFailures }) => <Failures of={consecutiveFailures} />],
  ['Last success', ({ lastSuccessAt }) => <Time at={lastSuccessAt} />],
  ['Becomes broken', ({ health }) => (health?.breaksAt ? <Time at={health.breaksAt} /> : '')],
];

/** An organization's webhook endpoints with their health. */
export const Endpoints = ({ organizationId }: { organizationId: string }) => (
  <section aria-label="Endpoints">
    <h2>Endpoints</h2>
    <Table
      query={useEndpoints(organizationId)}
      rows={({ endpoints }) => endpoints}
      id={({ id }) => id}
      columns={columns}
      caption="Endpoints"
      empty="The organization has no webhook endpoint."
    />
  </section>
);
