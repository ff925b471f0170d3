import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { isoMillis } from '@pto/database';
import { EndpointSchema, HandshakeSchema } from '@pto/proto/webhooks/v1/webhooks';
import { endpointJson, handshakeJson } from '@pto/representation';
import type { HandshakeResult } from '../handshake/proof.ts';
import { failureRatio, type HealthLimits, healthOf, shownBreaksAt } from '../health/health.ts';
import type { Endpoint } from '../schema/entities.ts';

export const endpointMessage = (
  endpoint: Endpoint,
  limits: HealthLimits,
): MessageInitShape<typeof EndpointSchema> => ({
  id: endpoint.id,
  organizationId: endpoint.organization_id,
  url: endpoint.url,
  status: endpoint.status,
  disabled: endpoint.disabled,
  ...(endpoint.event_filter && { eventFilter: { events: endpoint.event_filter } }),
  consecutiveFailures: endpoint.consecutive_failures,
  lastSuccessAt: endpoint.last_success_at === null ? '' : isoMillis(endpoint.last_success_at),
  lastFailureAt: endpoint.last_failure_at === null ? '' : isoMillis(endpoint.last_failure_at),
  createdAt: isoMillis(endpoint.created_at),
  health: {
    failureRatio: failureRatio(healthOf(endpoint), limits),
    breaksAt: shownBreaksAt(endpoint, limits) ?? '',
  },
});

/** Returns the part of a handshake's result that partners read. */
export const handshakeMessage = ({ reason, statusCode }: HandshakeResult) => ({
  ok: reason === null,
  reason: reason ?? '',
  ...(statusCode !== undefined && { statusCode }),
});

/** Returns the JSON of a created endpoint for the partner, with an empty secret. */
export const withoutSecret = (
  endpoint: Endpoint,
  result: HandshakeResult,
  limits: HealthLimits,
): string =>
  JSON.stringify({
    ...endpointJson(create(EndpointSchema, endpointMessage(endpoint, limits))),
    secret: '',
    handshake: handshakeJson(create(HandshakeSchema, handshakeMessage(result))),
  });

/** Puts the secret in its place. First responses and replays are made by this function alone. */
export const withSecret = (body: string, secret: string): Uint8Array =>
  Buffer.from(JSON.stringify({ ...JSON.parse(body), secret }));
