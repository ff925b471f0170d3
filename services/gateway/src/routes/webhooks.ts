import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { endpointJson, endpointMetricsJson, handshakeJson } from '@pto/representation';
import type { Backends, CellCall } from '../backends.ts';
import { created, json, nothing } from '../http/respond.ts';
import { speedHeader } from '../resources/rehearsals.ts';
import {
  endpointCreate,
  endpointMetrics,
  endpointPath,
  endpointUpdate,
  rotatedSecret,
  rotateSecret,
  testRequest,
  testResult,
  verifyResult,
  webhookEndpoint,
  webhookEndpointCreated,
  webhookEndpointUpdated,
} from '../resources/webhooks.ts';
import { list, type Output } from '../validation/schema.ts';
import { route } from './route.ts';

/**
 * Lane and deadline in ms of a route that sends a handshake or a test request. The receiver has up
 * to 10 s (decisions 35, 39); the rest is for the response to the partner.
 */
export const waitsForReceiver = { lane: 'receiver', deadlineMs: 14_000 } as const;

/** Path, scope and schemas that the rows for one endpoint have in common. */
const oneEndpoint = {
  path: '/webhooks/:endpoint_id',
  scope: 'webhooks:manage',
  schemas: { path: endpointPath },
} as const;

/** Returns the endpoint that a request names, and its organization. */
const target = ({
  organizationId,
  path,
}: {
  readonly organizationId: string;
  readonly path: Output<typeof endpointPath>;
}) => ({ organizationId, id: path.endpoint_id });

/**
 * Repeats a handshake that has passed and enabled nothing, because a move holds the organization. The
 * repetition waits for the end of the hold. If it fails, the response shows what was stored before:
 * that of a creation alone has the secret.
 * @returns the endpoint as it is then; undefined if the handshake is not to be repeated, or failed.
 */
const enabledAgain = async (
  webhooks: Backends['webhooks'],
  { endpoint, held }: { endpoint?: Endpoint | undefined; held: boolean },
  call: CellCall,
): Promise<Endpoint | undefined> => {
  if (!held) return undefined;
  const { organizationId, id } = endpoint!;
  const verified = webhooks.verifyEndpoint({ organizationId, id }, call);
  return verified.then(
    (result) => result.endpoint,
    () => undefined,
  );
};

const collection = { path: '/webhooks', scope: 'webhooks:manage' } as const;

/** The operations on webhook endpoints (contract 4.9). */
export const webhookRoutes = ({ webhooks }: Pick<Backends, 'webhooks'>, isSandbox: boolean) => [
  route({
    ...collection,
    name: 'listWebhooks',
    method: 'GET',
    response: list(webhookEndpoint),
    summary: 'List webhook endpoints',
    handle: async ({ organizationId, read }) => {
      const { endpoints } = await webhooks.listEndpoints({ organizationId }, read);
      return json(endpoints.map(endpointJson));
    },
  }),
  route({
    ...collection,
    name: 'createWebhook',
    ...waitsForReceiver,
    method: 'POST',
    idempotent: true,
    schemas: { body: endpointCreate, ...(isSandbox && { header: speedHeader }) },
    success: 201,
    response: webhookEndpointCreated,
    rejections: ['WEBHOOK_LIMIT_REACHED'],
    summary: 'Create a webhook endpoint',
    description:
      'The response has the signing secret; no other response contains it. The service runs the handshake immediately: it sends `GET <url>?verification=<nonce>` and expects a 2xx response with the nonce as the body, as a JSON string, or as a top-level string member of a JSON object. If the handshake fails, the endpoint stays PENDING_VERIFICATION until `verifyWebhook` succeeds, and `handshake.reason` states why. Send an `Idempotency-Key` to retry safely: for 24 hours a repeated request with the same key and body creates no second endpoint and gets the stored response, secret included, with `Idempotency-Replayed: true`.',
    handle: async ({ organizationId, body, header, idempotency, call }) => {
      const wanted = {
        organizationId,
        url: body.url,
        ...filter(body.event_filter),
        ...idempotency,
        rehearsalSpeed: header?.['X-Sandbox-Speed'],
      };
      const made = await webhooks.createEndpoint(wanted, call);
      const enabled = await enabledAgain(webhooks, made, call);
      if (!enabled) return created(made);
      const whole = { ...JSON.parse(Buffer.from(made.body).toString()), ...endpointJson(enabled) };
      return created({ ...made, body: Buffer.from(JSON.stringify(whole)) });
    },
  }),
  route({
    ...oneEndpoint,
    name: 'getWebhook',
    method: 'GET',
    response: webhookEndpoint,
    summary: 'Get a webhook endpoint',
    handle: async (request) => {
      return shown(await webhooks.getEndpoint(target(request), request.read));
    },
  }),
  route({
    ...oneEndpoint,
    name: 'updateWebhook',
    ...waitsForReceiver,
    method: 'PATCH',
    schemas: { path: endpointPath, body: endpointUpdate },
    response: webhookEndpointUpdated,
    summary: 'Update a webhook endpoint',
    description:
      'Absent members stay unchanged. `event_filter: null` selects all events. A changed `url` causes a new handshake. While `disabled` is true nothing is delivered or queued, and pending retries end. Events are stored for 30 days: after setting `disabled: false`, `recoverWebhook` with a `since` 24 hours before the change sends the missed events, those of ended retries included.',
    handle: async (request) => {
      const { url, disabled, event_filter } = request.body;
      const change = {
        ...target(request),
        url: url ?? undefined,
        disabled: disabled ?? undefined,
        setEventFilter: event_filter !== undefined,
        ...filter(event_filter),
      };
      const changed = await webhooks.updateEndpoint(change, request.call);
      const enabled = await enabledAgain(webhooks, changed, request.call);
      return json({
        ...endpointJson(enabled ?? changed.endpoint!),
        handshake: handshakeJson(changed.handshake),
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
      await webhooks.deleteEndpoint(target(request), request.call);
      return nothing();
    },
  }),
  route({
    ...oneEndpoint,
    name: 'verifyWebhook',
    ...waitsForReceiver,
    method: 'POST',
    path: `${oneEndpoint.path}/verify`,
    response: verifyResult,
    summary: 'Verify a webhook endpoint',
    description: 'Runs the handshake again. A success makes the endpoint ENABLED.',
    handle: async (request) => {
      const result = await webhooks.verifyEndpoint(target(request), request.call);
      const { id, status } = result.endpoint!;
      const handshake = handshakeJson(result.handshake);
      return json({ id, status, verified: result.verified, handshake });
    },
  }),
  route({
    ...oneEndpoint,
    name: 'testWebhook',
    ...waitsForReceiver,
    method: 'POST',
    path: `${oneEndpoint.path}/test`,
    schemas: { path: endpointPath, body: testRequest },
    optionalBody: true,
    response: testResult,
    summary: 'Send a test event',
    description:
      'Sends the example of an event once, signed, in any status of the endpoint. Its signed body has `data.test: true`, `external_id` TEST, the id of an order that does not exist and no `sequence`, whatever the event. The result does not change the health of the endpoint, and is no delivery.',
    handle: async (request) => {
      const event = request.body.event_type ?? 'order.test';
      const wanted = { ...target(request), eventType: event };
      const sent = await webhooks.testEndpoint(wanted, request.call);
      const { id, delivered, statusCode = null, error = null } = sent;
      return json({
        ...{ id, event, delivered, status_code: statusCode, error },
        duration_ms: sent.durationMs,
        response_body: sent.responseBody || null,
      });
    },
  }),
  route({
    ...oneEndpoint,
    name: 'getWebhookMetrics',
    method: 'GET',
    path: `${oneEndpoint.path}/metrics`,
    lane: 'rows',
    response: endpointMetrics,
    summary: 'Get metrics of a webhook endpoint',
    description: 'Also after the endpoint was deleted, while its deliveries are stored.',
    handle: async (request) => {
      const { organizationId, id: endpointId } = target(request);
      const found = await webhooks.getEndpointMetrics({ organizationId, endpointId }, request.read);
      return json(endpointMetricsJson(found));
    },
  }),
  route({
    ...oneEndpoint,
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: `${oneEndpoint.path}/secret/rotate`,
    schemas: { path: endpointPath, body: rotateSecret },
    response: rotatedSecret,
    summary: 'Rotate the signing secret',
    description:
      'Until `previous_expires_at` the `X-Service-Signature` of each delivery has a `v1=` for each of the two secrets. With `overlap: 0` the previous secret ends immediately.',
    handle: async (request) => {
      const { id: endpointId, organizationId } = target(request);
      const rotated = await webhooks.rotateSecret(
        { endpointId, organizationId, overlapSeconds: request.body.overlap },
        request.call,
      );
      const { secret, previousExpiresAt } = rotated;
      return json({ id: endpointId, secret, previous_expires_at: previousExpiresAt });
    },
  }),
];

const filter = (events: readonly string[] | null | undefined) =>
  events ? { eventFilter: { events: [...new Set(events)] } } : {};

const shown = ({ endpoint }: { endpoint?: Endpoint | undefined }) => json(endpointJson(endpoint!));
