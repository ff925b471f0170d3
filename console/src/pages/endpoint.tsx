import {
  deliveryJson,
  endpointJson,
  endpointMetricsJson,
  handshakeJson,
} from '@pto/representation';
import { clients } from '../calls/clients.ts';
import { EndpointPage as Page } from '../parts/endpoint/page.tsx';
import type { EndpointSource } from '../parts/endpoint/source.ts';
import { titled } from '../parts/environment.ts';
import { LinkedText } from '../parts/linked-text.tsx';
import { useMay } from '../parts/me.ts';
import { useOrganizationName } from '../parts/organizations.ts';

const { deliveries } = clients;

const source: EndpointSource = {
  get brand() {
    return titled('Console');
  },
  endpoint: async (id) => {
    const endpoint = (await deliveries.showEndpoint({ id })).endpoint!;
    return { ...endpointJson(endpoint), organization_id: endpoint.organizationId };
  },
  deliveries: async (endpointId, { state, event, cursor }) => {
    const found = await deliveries.listDeliveries({ endpointId, state, event, beforeId: cursor });
    return { data: found.deliveries.map(deliveryJson), next_cursor: found.nextId };
  },
  body: async (id) => new TextDecoder().decode((await deliveries.getDeliveryBody({ id })).body),
  test: async (id, commandId) => {
    const { delivered, statusCode, error } = await deliveries.sendTest({ id, commandId });
    return { delivered, status_code: statusCode ?? null, error: error ?? null };
  },
  metrics: async (endpointId) =>
    endpointMetricsJson(await deliveries.countDeliveries({ endpointId })),
  verify: async (id) => {
    const { verified, handshake } = await deliveries.repeatHandshake({ id });
    return { verified, handshake: handshakeJson(handshake) };
  },
  setDisabled: (id, disabled) => deliveries.setEndpointDisabled({ id, disabled }),
  rotate: async (id, overlapSeconds) => {
    const rotated = await deliveries.rotateEndpointSecret({ id, overlapSeconds });
    return { secret: rotated.secret, previous_expires_at: rotated.previousExpiresAt };
  },
  secretText: 'Hand it to the partner now. Nobody can read it again.',
  recover: async (id, { since, until, include_pending: includePending }) => {
    const span = { since, until: until ?? '', includePending };
    const { nextSince, ...part } = await deliveries.recoverDeliveries({ id, ...span });
    return { ...part, next_since: nextSince };
  },
  replay: ({ id }, commandId) => deliveries.replayDelivery({ id, commandId }),
  isReplayedOnce: true,
};

/** One endpoint of an organization, with what the operator's roles permit (proto/callers.ts). */
export const EndpointPage = ({ id }: { id: string }) => {
  const may = useMay();
  const nameOf = useOrganizationName();
  return (
    <Page
      id={id}
      source={source}
      may={{
        check: may('support', 'dispatcher'),
        disable: may('dispatcher', 'admin'),
        recover: may('dispatcher'),
        rotate: may('admin'),
      }}
      organization={({ organization_id: of = '' }) => (
        <LinkedText of={nameOf(of)} at={`/organizations/${of}`} />
      )}
    />
  );
};
