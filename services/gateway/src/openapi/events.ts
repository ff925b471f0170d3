import { eventNames, orderStatuses } from '@pto/proto/vocabulary';
import {
  boolean,
  choice,
  dateTime,
  described,
  integer,
  maybe,
  named,
  type Shape,
  text,
  uuid,
} from '../answers/shape.ts';
import type { Components } from './components.ts';
import { eventExample, testEventExample } from './examples.ts';

type EventName = (typeof eventNames)[number];

/** Contract 6.1: what each event means, and a status that an order has then, for the example. */
const events: Readonly<Record<EventName, readonly [meaning: string, status: string]>> = {
  'order.submitted': ['Order submitted and created in the system', 'submitted'],
  'order.assigned': ['Order assigned to a transport organisation', 'assigned'],
  'order.accepted': ['Transport organisation accepted the order', 'accepted'],
  'order.driver_assigned': ['A driver was assigned', 'driver_assigned'],
  'order.pickup_started': ['Pickup at the pickup location began', 'pickup_started'],
  'order.sealed': ['Goods sealed and the seal documented', 'sealed'],
  'order.in_transit': ['Transport under way to the drop-off', 'in_transit'],
  'order.delivered': ['Order delivered', 'delivered'],
  'order.closed': ['Order completed', 'closed'],
  'order.cancelled': ['Order cancelled', 'cancelled'],
  'order.updated': ['Order data changed', 'accepted'],
  'order.incident_reported': ['An incident was reported for the order', 'in_transit'],
  'order.escalated': ['The order was escalated', 'in_transit'],
  'order.test': ['Sample event sent by the test operation', 'submitted'],
};

const optional = <T>(shape: Shape<T>): Shape<T> => ({ ...shape, required: false });

/** Contract 6.5; decisions 42 and 43. Further members may come: receivers ignore them. */
const payload = named('WebhookEvent', {
  event: choice(eventNames),
  occurred_at: described(dateTime, 'The `ts_utc` of the order event that it tells of.'),
  data: named('WebhookEventData', {
    order: named('WebhookEventOrder', {
      id: uuid,
      external_id: { ...maybe(text), required: true },
      status: choice(orderStatuses.map((status) => status.toLowerCase())),
      updated_at: optional(dateTime),
      sequence: optional(
        described(integer, "The order's event number: drop what is older than what you have."),
      ),
    }),
    custody: optional(
      named('WebhookEventCustody', {
        sequence: described(integer, "The entry's place in the order's custody chain."),
        head_hash: described(text, 'The `event_hash` of that entry.'),
      }),
    ),
    test: optional(described(boolean, 'There, and true, in `order.test` alone.')),
  }),
  links: named('WebhookEventLinks', {
    order: described(text, 'The URL of the order in this API.'),
  }),
  sequence: optional(
    described(
      integer,
      "The event's number in the endpoint's own stream, from 1 and without gaps: a hole is something that you did not get yet.",
    ),
  ),
});

/** Contract 6.3 and 6.4. */
export const deliveryHeaders = {
  'X-Service-Signature': {
    description:
      '`t=<unix_timestamp>,v1=<hex_hmac>`: HMAC-SHA256 over `<t>.<raw_body>`, keyed with the secret of the endpoint. Compare in constant time, over the raw body; refuse a `t` more than 300 seconds away. While a secret is being rotated there is a `v1` for each secret: one that is right is enough.',
    schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
    example: `t=1772440262,v1=${'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'}`,
  },
  'X-Service-Event': {
    description: 'The name of the event.',
    schema: { type: 'string', enum: eventNames },
  },
  'X-Service-Delivery': {
    description: 'The same for every attempt: deduplicate on it.',
    schema: { type: 'string' },
    example: '018f4eb0-5a11-7b6c-9e0d-1f2a3b4c5d6e',
  },
  'X-Service-Sequence': {
    description:
      '`sequence` of the body. A replay has the number of the event that it repeats; `order.test` has none.',
    schema: { type: 'integer' },
    example: 42,
  },
};

/** The `webhooks` of the document, one for each event. */
export const webhooksOf = (components: Components) =>
  Object.fromEntries(
    eventNames.map((name) => {
      const [meaning, status] = events[name];
      const operation = {
        operationId: name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
        tags: ['Events'],
        summary: meaning,
        description:
          'Answer 2xx at once, duplicates included, and work on it afterwards. Anything else, and silence for 10 seconds, is a failure; up to 6 attempts are made within 24 hours.',
        security: [],
        parameters: Object.entries(deliveryHeaders).map(([header, shown]) => ({
          name: header,
          in: 'header',
          required: header !== 'X-Service-Sequence',
          ...shown,
          ...(header === 'X-Service-Event' && { schema: { type: 'string', const: name } }),
        })),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: {
                allOf: [
                  components.reference(payload.json),
                  { type: 'object', properties: { event: { const: name } } },
                ],
              },
              example: name === 'order.test' ? testEventExample : eventExample(name, status),
            },
          },
        },
        responses: {
          '2XX': { description: 'Received.' },
          default: { description: 'A failure: the delivery is tried again.' },
        },
      };
      return [name, { post: operation }];
    }),
  );
