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
  text,
  uuid,
} from './shape.ts';

/** Contract 3.2. */
const status = choice(['PENDING_VERIFICATION', 'ENABLED', 'BROKEN']);

/** Contract 2.5; `disabled` is decision 34. */
const endpoint = {
  id: uuid,
  url: text,
  status,
  disabled: byDefault(boolean, false),
  event_filter: described(maybe(listOf(choice(eventNames))), 'Null: all events are delivered.'),
  consecutive_failures: byDefault(integer, 0),
  last_success_at: maybe(dateTime),
  last_failure_at: maybe(dateTime),
  created_at: dateTime,
};

export const webhookEndpoint = named('WebhookEndpoint', endpoint);

/** Contract 2.5: the only answer that ever has the secret. */
export const webhookEndpointCreated = named('WebhookEndpointCreated', {
  ...endpoint,
  secret: described(text, 'The signing secret. It is shown this once and never again.'),
});

/** Contract 2.5. */
export const verifyResult = named('VerifyResult', { id: uuid, status, verified: boolean });

/** Contract 2.5. */
export const testResult = named('TestResult', {
  id: uuid,
  delivered: boolean,
  status_code: maybe(integer),
  error: maybe(text),
});
