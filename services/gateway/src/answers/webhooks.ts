import { eventNames } from '@pto/proto/vocabulary';
import {
  boolean,
  byDefault,
  choice,
  dateTime,
  described,
  integer,
  listOf,
  maybe,
  named,
  number,
  text,
  uuid,
} from './shape.ts';

/** Contract 3.2. */
const status = choice(['PENDING_VERIFICATION', 'ENABLED', 'BROKEN']);

const health = described(
  named('EndpointHealth', {
    failure_ratio: described(
      number,
      'Failed attempts in a row against those that make it BROKEN; 1 at most.',
    ),
    breaks_at: described(
      maybe(dateTime),
      'When it becomes BROKEN if nothing succeeds; null while nothing says so.',
    ),
  }),
  'How close the endpoint is to BROKEN.',
);

/** Contract 2.5; `disabled` is decision 34; `health` is an addition. */
const endpoint = {
  id: uuid,
  url: text,
  status,
  disabled: byDefault(boolean, false),
  event_filter: described(maybe(listOf(choice(eventNames))), 'Null: all events are delivered.'),
  consecutive_failures: byDefault(integer, 0),
  last_success_at: maybe(dateTime),
  last_failure_at: maybe(dateTime),
  health,
  created_at: dateTime,
};

export const webhookEndpoint = named('WebhookEndpoint', endpoint);

/** Decision 62; open, as all enumerations of responses are (decision 63). */
const handshake = named('HandshakeResult', {
  ok: boolean,
  reason: described(
    maybe(text),
    'Null where it passed. `unreachable`: no connection (unknown name, refused address, no listener); `tls`: no trusted certificate for the host; `timeout`: no complete response in time; `connection_lost`: the connection ended early; `protocol`: not an HTTP response; `redirect`: 3xx, never followed; `status`: another status than 2xx; `body`: the nonce is not the body; `echo`: the body repeats more of the request than the nonce; `not_sent`: the service could not send the request. There may be further reasons.',
  ),
  status_code: described(maybe(integer), 'Of the response, where there was one.'),
});
const handshakeResult = described(
  maybe(handshake),
  'The handshake that this request caused; null where it caused none.',
);

/** Contract 2.5: the only answer that ever has the secret. */
export const webhookEndpointCreated = named('WebhookEndpointCreated', {
  ...endpoint,
  secret: described(text, 'The signing secret. It is shown this once and never again.'),
  handshake: handshakeResult,
});

/** Contract 4.9. */
export const webhookEndpointUpdated = named('WebhookEndpointUpdated', {
  ...endpoint,
  handshake: handshakeResult,
});

/** The only answer, beside the first one, that ever has a secret. */
export const rotatedSecret = named('RotatedSecret', {
  id: uuid,
  secret: described(text, 'The new signing secret. It is shown this once and never again.'),
  previous_expires_at: described(dateTime, 'Until then the secret before signs as well.'),
});

/** Contract 2.5. */
export const verifyResult = named('VerifyResult', {
  id: uuid,
  status,
  verified: boolean,
  handshake: handshakeResult,
});

/** Contract 2.5. */
export const testResult = named('TestResult', {
  id: uuid,
  delivered: boolean,
  status_code: maybe(integer),
  error: described(
    maybe(text),
    'Why there was no response: `unreachable`, `tls`, `timeout`, `connection_lost`, `protocol` or `not_sent`, as in a handshake.',
  ),
});
