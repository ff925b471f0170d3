import { endpointJson } from '@pto/representation';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { EndpointTable } from '../../parts/endpoint/list.tsx';

/** The webhook endpoints of an organization. */
export const useEndpoints = (organizationId: string) =>
  useCall(['organization', organizationId, 'endpoints'], async () => {
    const found = await clients.deliveries.listOrganizationEndpoints({ organizationId });
    return found.endpoints.map(endpointJson);
  });

/** An organization's webhook endpoints with their health. */
export const Endpoints = ({ organizationId }: { organizationId: string }) => (
  <section aria-label="Endpoints" id="endpoints">
    <h2>Endpoints</h2>
    <EndpointTable
      query={useEndpoints(organizationId)}
      empty="The organization has no webhook endpoint."
    />
  </section>
);
