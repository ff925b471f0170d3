import type { Endpoint, Handshake } from '@pto/proto/webhooks/v1/webhooks';
import type { Backends } from '../backends.ts';
import { json, nothing } from '../http/sending/partner-response.ts';
import { listOf } from '../responses/shape.ts';
import {
  rotatedSecret,
  testResult,
  verifyResult,
  webhookEndpoint,
  webhookEndpointCreated,
  webhookEndpointUpdated,
} from '../responses/webhooks.ts';
import { given } from './given.ts';
import { type PartnerRequest, route } from './route.ts';
import {
  endpointCreate,
  endpointPath,
  endpointUpdate,
  rotateSecret,
} from './schemas/webhook-schemas.ts';

/** The operations on webhook endpoints (contract 4.9). */
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
    ...one,
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
    ...one,
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
    ...one,
    name: 'deleteWebhook',
    method: 'DELETE',
    success: 204,
    summary: 'Delete a webhook endpoint',
    handle: async (request) => {
      await webhooks.deleteEndpoint(target(request), { deadline: request.deadline });
      return nothing;
    },
  }),
  route({
    ...one,
    name: 'verifyWebhook',
    deadlineMs: receiverDeadlineMs,
    method: 'POST',
    path: `${one.path}/verify`,
    success: 200,
    response: verifyResult,
    summary: 'Verify a webhook endpoint',
    description: 'Runs the handshake again. A success makes the endpoint ENABLED.',
    handle: async (request) => {
      const { deadline } = request;
      const result = await webhooks.verifyEndpoint(target(request), { deadline });
      const { id, status } = result.endpoint!;
      const handshake = handshakeJson(result.handshake);
      return json({ id, status, verified: result.verified, handshake });
    },
  }),
  route({
    ...one,
    name: 'testWebhook',
    deadlineMs: receiverDeadlineMs,
    method: 'POST',
    path: `${one.path}/test`,
    success: 200,
    response: testResult,
    summary: 'Send a test event',
    description:
      'Sends a signed `order.test` once, in any status of the endpoint. The result does not change the health of the endpoint.',
    handle: async (request) => {
      const { deadline } = request;
      const sent = await webhooks.testEndpoint(target(request), { deadline });
      const { id, delivered, statusCode = null, error = null } = sent;
      return json({ id, delivered, status_code: statusCode, error });
    },
  }),
  route({
    ...one,
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: `${one.path}/secret/rotate`,
    schemas: { path: endpointPath, body: rotateSecret },
    success: 200,
    response: rotatedSecret,
    summary: 'Rotate the signing secret',
    description:
      'Until `previous_expires_at` the `X-Service-Signature` of each delivery has a `v1=` for each of the two secrets. With `overlap: 0` the previous secret ends immediately.',
    handle: async (request) => {
      const { id: endpointId, organizationId } = target(request);
      const rotated = await webhooks.rotateSecret(
        { endpointId, organizationId, overlapSeconds: request.body.overlap },
        { deadline: request.deadline },
      );
      const { secret, previousExpiresAt } = rotated;
      return json({ id: endpointId, secret, previous_expires_at: previousExpiresAt });
    },
  }),
];

const handshakeJson = (handshake: Handshake | undefined) =>
  handshake
    ? {
        ok: handshake.ok,
        reason: handshake.reason || null,
        status_code: handshake.statusCode ?? null,
      }
    : null;

/** Deadline of a handshake or a test request: up to 10 s (decisions 35, 39) and the response. */
const receiverDeadlineMs = 14_000;

const collection = { path: '/webhooks', scope: 'webhooks:manage' } as const;
const one = {
  path: '/webhooks/:endpoint_id',
  scope: 'webhooks:manage',
  schemas: { path: endpointPath },
} as const;

const target = ({
  credentials,
  path,
}: Pick<
  PartnerRequest<{ endpoint_id: string }, unknown, unknown, unknown>,
  'credentials' | 'path'
>) => ({
  organizationId: credentials.organization.id,
  id: path.endpoint_id,
});

const filter = (events: readonly string[] | null | undefined) =>
  events ? { eventFilter: { events: [...new Set(events)] } } : {};

const shown = ({ endpoint }: { endpoint?: Endpoint | undefined }) => json(endpointJson(endpoint!));

/** Returns an endpoint as partners see it (contract 2.5; decision 34). */
const endpointJson = (endpoint: Endpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  status: endpoint.status,
  disabled: endpoint.disabled,
  event_filter: endpoint.eventFilter?.events ?? null,
  consecutive_failures: endpoint.consecutiveFailures,
  last_success_at: endpoint.lastSuccessAt || null,
  last_failure_at: endpoint.lastFailureAt || null,
  health: {
    failure_ratio: endpoint.health?.failureRatio ?? 0,
    breaks_at: endpoint.health?.breaksAt || null,
  },
  created_at: endpoint.createdAt,
});
