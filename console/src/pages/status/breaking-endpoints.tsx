import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { Link } from 'wouter';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { Failures } from '../../parts/failures.tsx';
import { useMay } from '../../parts/me.ts';
import { useOrganizationName } from '../../parts/organizations.ts';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';

/** Endpoints of all organizations that become broken, live. */
export const BreakingEndpoints = () => {
  const isPermitted = useMay()('support', 'dispatcher', 'admin');
  const nameOf = useOrganizationName();
  const query = useCall(
    ['breaking endpoints'],
    () => clients.deliveries.listBreakingEndpoints({ refresh: true }),
    { live: true, enabled: isPermitted },
  );
  if (!isPermitted) return null;
  const columns: readonly Column<Endpoint>[] = [
    ['Organization', ({ organizationId }) => nameOf(organizationId)],
    [
      'URL',
      ({ id, url }) => (
        <Link href={`/endpoints/${id}`}>
          <Text of={url} />
        </Link>
      ),
    ],
    ['Failures in a row', ({ consecutiveFailures }) => <Failures of={consecutiveFailures} />],
    ['Last success', ({ lastSuccessAt }) => <Time at={lastSuccessAt} />],
    ['Becomes broken', ({ health }) => (health?.breaksAt ? <Time at={health.breaksAt} /> : '')],
  ];
  return (
    <section aria-label="Endpoints that become broken">
      <h2>Endpoints that become broken</h2>
      <Table
        query={query}
        rows={({ endpoints }) => endpoints}
        id={({ id }) => id}
        columns={columns}
        caption="Endpoints that become broken"
        empty="No endpoint becomes broken."
      />
      {query.data?.hasMore && (
        <p className="faint">There are more; these have the most failures.</p>
      )}
    </section>
  );
};
