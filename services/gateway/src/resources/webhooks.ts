import { endpointStatuses, eventNames } from '@pto/proto/vocabulary';
import { boolean, integer } from '../validation/numbers.ts';
import { count, number, openEnum, responseOnly, timestamp } from '../validation/response-only.ts';
import {
  described,
  list,
  maybe,
  model,
  nullable,
  optional,
  parameters,
} from '../validation/schema.ts';
import { choice, string, uuid } from '../validation/texts.ts';

/**
 * The events that an endpoint receives; null: all events (decision 33). In an update, an absent
 * member leaves the filter unchanged.
 */
const eventFilter = nullable(
  list(
    string({
      rule: (name) =>
        eventNames.some((known) => known === name) ? undefined : 'not the name of an event',
      json: { title: 'KnownEventName', enum: eventNames },
    }),
    { min: 1 },
  ),
);

/** An HTTPS URL (contract 2.5). The webhooks service performs all further checks. */
const url = string({
  min: 12,
  max: 500,
  rule: (text) => (/^https:\/\//i.test(text) ? undefined : 'must be an HTTPS URL'),
  json: { format: 'uri' },
});

export const endpointId = described(uuid(), 'The `id` of the endpoint.');

export const endpointPath = parameters({ endpoint_id: endpointId });

const day = 86_400;

export const rotateSecret = model('SecretRotation', {
  overlap: described(
    optional(integer({ ge: 0, le: 7 * day }), day),
    'Seconds during which deliveries are signed with the previous secret, too.',
  ),
});

export const endpointCreate = model('WebhookEndpointCreate', {
  url,
  event_filter: optional(eventFilter, null),
});

export const endpointUpdate = model('WebhookEndpointUpdate', {
  url: optional(nullable(url)),
  event_filter: optional(eventFilter),
  disabled: optional(nullable(boolean())),
});

/** Name of an event (contract 6.1). */
export const eventName = openEnum('EventName', eventNames, 'Name of an event.');

/** Status of a webhook endpoint (contract 3.2). */
export const webhookEndpointStatus = openEnum(
  'WebhookEndpointStatus',
  endpointStatuses,
  'Status of a webhook endpoint.',
);

const health = described(
  model('WebhookEndpointHealth', {
    failure_ratio: described(number(), 'Consecutive failures divided by the threshold, 0 to 1.'),
    breaks_at: described(
      maybe(timestamp()),
      'When the endpoint becomes BROKEN if no attempt succeeds. Null until 100 attempts in a row have failed or a delivery is exhausted.',
    ),
  }),
  'How close the endpoint is to BROKEN.',
);

/**
 * The members of an endpoint (contract 2.5). `disabled` is from decision 34; `health` is an
 * addition.
 */
const endpoint = {
  id: uuid(),
  url: string(),
  status: webhookEndpointStatus,
  disabled: optional(boolean(), false),
  event_filter: described(maybe(list(eventName)), 'Events that are delivered; null: all events.'),
  consecutive_failures: optional(count(), 0),
  last_success_at: maybe(timestamp()),
  last_failure_at: maybe(timestamp()),
  health,
  created_at: timestamp(),
};

export const webhookEndpoint = model('WebhookEndpoint', endpoint);

/** The reasons of a failed handshake (decision 62). */
const handshakeReasons = {
  unreachable: 'no connection: unknown name, rejected address or no listener',
  tls: 'no trusted certificate for the host',
  timeout: 'no complete response in time',
  connection_lost: 'the connection ended early',
  protocol: 'not an HTTP response',
  redirect: '3xx; redirects are not followed',
  status: 'a status other than 2xx',
  body: 'the nonce is not the body',
  echo: 'the body repeats more of the request than the nonce',
  not_sent: 'the service could not send the request',
};

const handshakeReason = openEnum(
  'HandshakeReason',
  Object.keys(handshakeReasons),
  `Why a handshake failed. ${Object.entries(handshakeReasons)
    .map(([reason, meaning]) => `\`${reason}\`: ${meaning}`)
    .join('; ')}.`,
);

const handshake = model('HandshakeResult', {
  ok: boolean(),
  reason: described(maybe(handshakeReason), 'Null if the handshake passed.'),
  status_code: described(maybe(count()), 'Status of the response; null if there was no response.'),
});
const handshakeResult = described(
  maybe(handshake),
  'The handshake that this request caused; null if it caused none.',
);

/** The response to the creation of an endpoint, which contains the secret (contract 2.5). */
export const webhookEndpointCreated = model('WebhookEndpointCreated', {
  ...endpoint,
  secret: described(string(), 'The signing secret. No other response contains it: store it.'),
  handshake: handshakeResult,
});

/** The response to the update of an endpoint (contract 4.9). */
export const webhookEndpointUpdated = model('WebhookEndpointUpdated', {
  ...endpoint,
  handshake: handshakeResult,
});

/**
 * The response to a rotation of the secret. It contains the new secret; besides it, only the
 * response to the creation of an endpoint contains a secret.
 */
export const rotatedSecret = model('RotatedSecret', {
  id: uuid(),
  secret: described(string(), 'The new signing secret. No other response contains it: store it.'),
  previous_expires_at: described(
    timestamp(),
    'Until then deliveries are signed with the previous secret, too.',
  ),
});

/** The response to the verification of an endpoint: the result of a handshake (contract 2.5). */
export const verifyResult = model('VerifyResult', {
  id: uuid(),
  status: webhookEndpointStatus,
  verified: boolean(),
  handshake: handshakeResult,
});

export const testRequest = model('TestRequest', {
  event_type: described(
    maybe(choice(eventNames, 'KnownEventName')),
    'The event whose example is sent; null or absent: `order.test`. The filter of the endpoint does not matter.',
  ),
});

/** The result of a test request (contract 2.5). */
export const testResult = model('TestResult', {
  id: uuid(),
  delivered: boolean(),
  status_code: maybe(count()),
  error: described(
    maybe(string()),
    'Why there was no response: `unreachable`, `tls`, `timeout`, `connection_lost`, `protocol` or `not_sent`, as in a handshake.',
  ),
  event: eventName,
  duration_ms: number(),
  response_body: described(
    maybe(string()),
    'The first 1 KiB of the body of the response as text; null if it has none, or if no handshake with the URL has passed.',
  ),
});

const endpointDay = model('WebhookEndpointDay', {
  day: responseOnly<string>({ type: 'string', format: 'date' }),
  delivered: count(),
  failed: described(count(), 'Deliveries that are EXHAUSTED.'),
  pending: described(count(), 'Deliveries that wait for an attempt.'),
  p95_ms: described(
    maybe(count()),
    '95th percentile of the durations of attempts that got a response or timed out, of the last 500 deliveries of the day; null if there is none.',
  ),
});

export const endpointMetrics = model('WebhookEndpointMetrics', {
  days: described(
    list(endpointDay),
    'The last 7 days in UTC, today last, by the time at which deliveries were queued. Each number is at most 100,000.',
  ),
});
