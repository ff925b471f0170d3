import { handshakeJson } from '@pto/representation';
import type { Backends } from '../../backends.ts';
import { json } from '../../http/sending/partner-response.ts';
import { rotatedSecret, testResult, verifyResult } from '../../responses/webhooks.ts';
import { route } from '../route.ts';
import { endpointPath, rotateSecret } from '../schemas/webhook-schemas.ts';
import { oneEndpoint, target, waitsForReceiver } from './endpoint-route.ts';

/** Verify, test and secret rotation of a webhook endpoint (contract 4.9). */
export const webhookActionRoutes = ({ webhooks }: Pick<Backends, 'webhooks'>) => [
  route({
    ...oneEndpoint,
    name: 'verifyWebhook',
    ...waitsForReceiver,
    method: 'POST',
    path: `${oneEndpoint.path}/verify`,
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
    ...oneEndpoint,
    name: 'testWebhook',
    ...waitsForReceiver,
    method: 'POST',
    path: `${oneEndpoint.path}/test`,
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
    ...oneEndpoint,
    name: 'rotateWebhookSecret',
    method: 'POST',
    path: `${oneEndpoint.path}/secret/rotate`,
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
