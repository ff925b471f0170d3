import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { counted } from '../../parts/counted.ts';
import { Failures } from '../../parts/failures.tsx';
import { Finding } from '../../parts/finding.tsx';
import { LinkedText } from '../../parts/linked-text.tsx';
import { useMay } from '../../parts/me.ts';
import { useOrganizationName } from '../../parts/organizations.ts';
import { type Column, Rows } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';

const roles = ['support', 'dispatcher', 'admin'];

/** Reads the endpoints that become broken, at most 100. Auditors do not see them. */
export const useBreakingEndpoints = () =>
  useCall(
    ['breaking endpoints'],
    () => clients.deliveries.listBreakingEndpoints({ refresh: true }),
    { live: true, enabled: useMay()(...roles) },
  );

/** Endpoints of all organizations that become broken, live. */
export const BreakingEndpoints = () => {
  const isPermitted = useMay()(...roles);
  const nameOf = useOrganizationName();
  const query = useBreakingEndpoints();
  if (!isPermitted) return null;
  const endpoints = query.data?.endpoints ?? [];
  const columns: readonly Column<Endpoint>[] = [
    ['Organization', ({ organizationId }) => nameOf(organizationId), 'detail'],
    ['URL', ({ id, url }) => <LinkedText of={url} at={`/endpoints/${id}`} />, 'title'],
    [
      'Failures in a row',
      ({ consecutiveFailures }) => <Failures of={consecutiveFailures} />,
      'named',
    ],
    ['Last success', ({ lastSuccessAt }) => <Time at={lastSuccessAt} />, 'named'],
    [
      'Becomes broken',
      ({ health }) => (health?.breaksAt ? <Time at={health.breaksAt} /> : ''),
      'named',
    ],
  ];
  return (
    <section aria-label="Endpoints that become broken">
      <Finding
        query={query}
        tone={endpoints.length === 0 ? 'good' : 'warns'}
        says={
          endpoints.length === 0
            ? 'Every endpoint receives its deliveries.'
            : `${counted(endpoints.length, 'endpoint of a partner fails', 'endpoints of partners fail')}.`
        }
      >
        {endpoints.length > 0 && (
          <Rows of={endpoints} columns={columns} caption="Endpoints that become broken" />
        )}
        {query.data?.hasMore && (
          <p className="faint">There are more; these have the most failures.</p>
        )}
      </Finding>
    </section>
  );
};
