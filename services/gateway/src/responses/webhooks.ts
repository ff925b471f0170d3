import { eventName, webhookEndpointStatus } from './enumerations.ts';
import {
  boolean,
  byDefault,
  dateTime,
  described,
  integer,
  listOf,
  maybe,
  named,
  number,
  openEnum,
  text,
  uuid,
} from './shape.ts';

const health = described(
  named('WebhookEndpointHealth', {
    failure_ratio: described(number, 'Consecutive failures divided by the threshold, 0 to 1.'),
    breaks_at: described(
      maybe(dateTime),
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
  id: uuid,
  url: text,
  status: webhookEndpointStatus,
  disabled: byDefault(boolean, false),
  event_filter: described(maybe(listOf(eventName)), 'Events that are delivered; null: all events.'),
  consecutive_failures: byDefault(integer, 0),
  last_success_at: maybe(dateTime),
  last_failure_at: maybe(dateTime),
  health,
  created_at: dateTime,
};

export const webhookEndpoint = named('WebhookEndpoint', endpoint);

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

const handshake = named('HandshakeResult', {
  ok: boolean,
  reason: described(maybe(handshakeReason), 'Null if the handshake passed.'),
  status_code: described(maybe(integer), 'Status of the response; null if there was no response.'),
});
const handshakeResult = described(
  maybe(handshake),
  'The handshake that this request caused; null if it caused none.',
);

/** The response to the creation of an endpoint, which contains the secret (contract 2.5). */
export const webhookEndpointCreated = named('WebhookEndpointCreated', {
  ...endpoint,
  secret: described(text, 'The signing secret. No other response contains it: store it.'),
  handshake: handshakeResult,
});

/** The response to the update of an endpoint (contract 4.9). */
export const webhookEndpointUpdated = named('WebhookEndpointUpdated', {
  ...endpoint,
  handshake: handshakeResult,
});

/**
 * The response to a rotation of the secret. It contains the new secret; besides it, only the
 * response to the creation of an endpoint contains a secret.
 */
export const rotatedSecret = named('RotatedSecret', {
  id: uuid,
  secret: described(text, 'The new signing secret. No other response contains it: store it.'),
  previous_expires_at: described(
    dateTime,
    'Until then deliveries are signed with the previous secret, too.',
  ),
});

/** The response to the verification of an endpoint: the result of a handshake (contract 2.5). */
export const verifyResult = named('VerifyResult', {
  id: uuid,
  status: webhookEndpointStatus,
  verified: boolean,
  handshake: handshakeResult,
});

/** The result of a test request (contract 2.5). */
export const testResult = named('TestResult', {
  id: uuid,
  delivered: boolean,
  status_code: maybe(integer),
  error: described(
    maybe(text),
    'Why there was no response: `unreachable`, `tls`, `timeout`, `connection_lost`, `protocol` or `not_sent`, as in a handshake.',
  ),
});
