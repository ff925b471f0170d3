import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { endpointJson, handshakeJson } from '@pto/representation';
import type { Backends } from '../../backends.ts';
import { json, nothing } from '../../http/sending/partner-response.ts';
import { listOf } from '../../responses/shape.ts';
import {
  webhookEndpoint,
  webhookEndpointCreated,
  webhookEndpointUpdated,
} from '../../responses/webhooks.ts';
import { given } from '../given.ts';
import { created, idempotencyRejections, keyOf } from '../idempotency.ts';
import { route } from '../route.ts';
import { idempotencyHeader } from '../schemas/idempotency-schema.ts';
import { endpointCreate, endpointPath, endpointUpdate } from '../schemas/webhook-schemas.ts';
import { oneEndpoint, target, waitsForReceiver } from './endpoint-route.ts';

/** The operations on webhook endpoints (contract 4.9); webhook-actions.ts has the others. */
export const webhookRoutes = ({ webhooks }: Pick<Backends, 'webhooks'>) => [
  route({
    ...collection,
    name: 'listWebhooks',
    method: 'GET',
    success: 200,
    response: listOf(webhookEndpoint),
    summary: 'List webhook endpoints',
    handle: async ({ credentials, deadline, signal }) => {
      const organizationId = credentials.organization.id;
      const { endpoints } = await webhooks.listEndpoints({ organizationId }, { deadline, signal });
      return json(endpoints.map(endpointJson));
    },
  }),
  route({
    ...collection,
    name: 'createWebhook',
    ...waitsForReceiver,
    method: 'POST',
    schemas: { header: idempotencyHeader, body: endpointCreate },
    success: 201,
    response: webhookEndpointCreated,
    rejections: ['WEBHOOK_LIMIT_REACHED', ...idempotencyRejections],
    summary: 'Create a webhook endpoint',
    description:
      'The response has the signing secret; no other response contains it. The service runs the handshake immediately: it sends `GET <url>?verification=<nonce>` and expects a 2xx response with the nonce as the body, as a JSON string, or as a top-level string member of a JSON object. If the handshake fails, the endpoint stays PENDING_VERIFICATION until `verifyWebhook` succeeds, and `handshake.reason` states why. Send an `Idempotency-Key` to retry safely: for 24 hours a repeated request with the same key and body creates no second endpoint and gets the stored response, secret included, with `Idempotency-Replayed: true`.',
    handle: async (request) => {
      const { body, deadline } = request;
      const wanted = {
        organizationId: request.credentials.organization.id,
        url: body.url,
        ...filter(body.event_filter),
        ...keyOf(request),
      };
      return created(await webhooks.createEndpoint(wanted, { deadline }));
    },
  }),
  route({
    ...oneEndpoint,
    name: 'getWebhook',
    method: 'GET',
    success: 200,
    response: webhookEndpoint,
    summary: 'Get a webhook endpoint',
    handle: async (request) => {
      const { deadline, signal } = request;
      return shown(await webhooks.getEndpoint(target(request), { deadline, signal }));
    },
  }),
  route({
    ...oneEndpoint,
    name: 'updateWebhook',
    ...waitsForReceiver,
    method: 'PATCH',
    schemas: { path: endpointPath, body: endpointUpdate },
    success: 200,
    response: webhookEndpointUpdated,
    summary: 'Update a webhook endpoint',
    description:
      'Absent members stay unchanged. `event_filter: null` selects all events. A changed `url` causes a new handshake. While `disabled` is true nothing is delivered or queued, and pending retries end. Events are stored for 30 days: after setting `disabled: false`, `recoverWebhook` with a `since` 24 hours before the change sends the missed events, those of ended retries included.',
    handle: async (request) => {
      const { url, disabled, event_filter } = request.body;
      const change = {
        ...target(request),
        ...given('url', url),
        ...given('disabled', disabled),
        setEventFilter: event_filter !== undefined,
        ...filter(event_filter),
      };
      const { deadline } = request;
      const { endpoint, handshake } = await webhooks.updateEndpoint(change, { deadline });
      return json({
        ...endpointJson(endpoint!),
        handshake: handshakeJson(handshake),
      });
    },
  }),
  route({
    ...oneEndpoint,
    name: 'deleteWebhook',
    method: 'DELETE',
    success: 204,
    summary: 'Delete a webhook endpoint',
    handle: async (request) => {
      await webhooks.deleteEndpoint(target(request), { deadline: request.deadline });
      return nothing;
    },
  }),
];

const collection = { path: '/webhooks', scope: 'webhooks:manage' } as const;

const filter = (events: readonly string[] | null | undefined) =>
  events ? { eventFilter: { events: [...new Set(events)] } } : {};

const shown = ({ endpoint }: { endpoint?: Endpoint | undefined }) => json(endpointJson(endpoint!));
