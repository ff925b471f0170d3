import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import type { Backends } from '../../backends.ts';
import { json, nothing } from '../../http/sending/partner-response.ts';
import { listOf } from '../../responses/shape.ts';
import {
  webhookEndpoint,
  webhookEndpointCreated,
  webhookEndpointUpdated,
} from '../../responses/webhooks.ts';
import { given } from '../given.ts';
import { route } from '../route.ts';
import { endpointCreate, endpointPath, endpointUpdate } from '../schemas/webhook-schemas.ts';
import { endpointJson, handshakeJson } from './endpoint-json.ts';
import { oneEndpoint, receiverDeadlineMs, target } from './endpoint-route.ts';

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
    deadlineMs: receiverDeadlineMs,
    method: 'POST',
    schemas: { body: endpointCreate },
    success: 201,
    response: webhookEndpointCreated,
    rejections: ['WEBHOOK_LIMIT_REACHED'],
    summary: 'Create a webhook endpoint',
    description:
      'The response has the signing secret; no later response contains it. The service runs the handshake immediately: it sends `GET <url>?verification=<nonce>` and expects a 2xx response with the nonce as the body, as a JSON string, or as a top-level string member of a JSON object. If the handshake fails, the endpoint stays PENDING_VERIFICATION until `verifyWebhook` succeeds, and `handshake.reason` states why. Handshakes and test requests are limited to a burst of 60 per organization, then one per minute.',
    handle: async ({ credentials, body, deadline }) => {
      const organizationId = credentials.organization.id;
      const made = await webhooks.createEndpoint(
        { organizationId, url: body.url, ...filter(body.event_filter) },
        { deadline },
      );
      const { endpoint, secret, handshake } = made;
      return json({
        ...endpointJson(endpoint!),
        secret,
        handshake: handshakeJson(handshake),
      });
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
    deadlineMs: receiverDeadlineMs,
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
