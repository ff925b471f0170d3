import { create } from '@bufbuild/protobuf';
import { EndpointSchema, HandshakeSchema } from '@pto/proto/webhooks/v1/webhooks';
import { endpointJson, handshakeJson } from '@pto/representation';
import type { HandshakeResult } from '../handshake/result.ts';
import type { HealthLimits } from '../health/verdict.ts';
import type { Endpoint } from '../schema/endpoint.ts';
import { endpointMessage } from './endpoint-message.ts';
import { handshakeMessage } from './handshake-message.ts';

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
