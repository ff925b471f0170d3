import type { Backends } from '../backends.ts';
import { json } from '../http/respond.ts';
import {
  rehearsal,
  rehearsalJson,
  rehearsalMessage,
  rehearsalRequest,
} from '../resources/rehearsals.ts';
import { endpointPath } from '../resources/webhooks.ts';
import { route } from './route.ts';

const ofEndpoint = {
  path: '/sandbox/webhooks/:endpoint_id/rehearsal',
  scope: 'webhooks:manage',
  response: rehearsal,
} as const;

/** The operations on rehearsals of deliveries (decision 67). Production has none of these rows. */
export const rehearsalRoutes = ({ webhooks }: Pick<Backends, 'webhooks'>) => [
  route({
    ...ofEndpoint,
    name: 'rehearseWebhook',
    method: 'PUT',
    schemas: { path: endpointPath, body: rehearsalRequest },
    summary: 'Rehearse the deliveries of an endpoint',
    description:
      'Exists in the sandbox only. Makes retries faster, and makes faults on the way to the receiver. Signatures, attempts and limits stay the real ones. The request replaces the rehearsal before it, and sends what that one holds back. `{}` ends the rehearsal.',
    handle: async ({ organizationId, path, body, call }) => {
      const wanted = { organizationId, endpointId: path.endpoint_id, ...rehearsalMessage(body) };
      return json(rehearsalJson((await webhooks.setRehearsal(wanted, call)).rehearsal!));
    },
  }),
  route({
    ...ofEndpoint,
    name: 'getRehearsal',
    method: 'GET',
    schemas: { path: endpointPath },
    summary: 'Get the rehearsal of an endpoint',
    description: 'Exists in the sandbox only.',
    handle: async ({ organizationId, path, read }) => {
      const wanted = { organizationId, endpointId: path.endpoint_id };
      return json(rehearsalJson((await webhooks.getRehearsal(wanted, read)).rehearsal!));
    },
  }),
];
