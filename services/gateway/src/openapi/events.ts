import { eventNames } from '@pto/proto/vocabulary';
import { eventCatalog } from '@pto/representation';
import { eventCustody, eventLinks, eventOrder, occurredAt } from '../resources/events.ts';
import { eventName } from '../resources/webhooks.ts';
import { boolean } from '../validation/numbers.ts';
import { count } from '../validation/response-only.ts';
import { described, model, optional } from '../validation/schema.ts';
import { eventExample, testEventExample } from './example-values.ts';
import type { Components } from './schemas.ts';

export const webhookTag = 'Webhook events';

/** The payload of a webhook (contract 6.5; decisions 42 and 43). */
const payload = model('WebhookEvent', {
  event: eventName,
  occurred_at: occurredAt,
  data: model('WebhookEventData', {
    order: eventOrder,
    custody: optional(eventCustody),
    test: optional(
      described(
        boolean(),
        '`true` in test requests, whose order does not exist; absent in all other events.',
      ),
    ),
  }),
  links: eventLinks,
  sequence: optional(
    described(
      count(),
      "Number of the event in the endpoint's stream, from 1 without gaps. A gap means that events are missing: they may still arrive, or use `recover`.",
    ),
  ),
});

/** The headers of a webhook (contract 6.3 and 6.4). */
export const deliveryHeaders = {
  'X-Service-Signature': {
    description:
      '`t=<unix_timestamp>,v1=<hex_hmac>`. Each `v1` is HMAC-SHA256 over `<t>.<raw_body>`, keyed with the secret of the endpoint. Verify it over the raw body, compare in constant time, and reject a `t` more than 300 seconds from now. During a secret rotation there is a `v1` for each secret: accept if any of them matches.',
    schema: { type: 'string', pattern: '^t=[0-9]+(,v1=[0-9a-f]{64})+$' },
    example: `t=1772440262,v1=${'9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'}`,
  },
  'X-Service-Event': {
    description: 'Name of the event.',
    schema: { type: 'string' },
  },
  'X-Service-Delivery': {
    description: 'Id of the delivery, equal in every attempt: deduplicate by it.',
    schema: { type: 'string' },
    example: '018f4eb0-5a11-7b6c-9e0d-1f2a3b4c5d6e',
  },
  'X-Service-Sequence': {
    description:
      '`sequence` of the body. A replay has the number of the event that it repeats; absent in test requests.',
    schema: { type: 'integer' },
    example: 42,
  },
};

/** Returns the `webhooks` of the document, by event name. */
export const webhooksOf = (components: Components) =>
  Object.fromEntries(
    eventNames.map((name) => {
      const [meaning, status] = eventCatalog[name];
      const operation = {
        operationId: name.replace(/[._](\w)/g, (_, letter: string) => letter.toUpperCase()),
        tags: [webhookTag],
        summary: meaning,
        description:
          'Respond 2xx immediately, to duplicates as well, and process the event afterwards. Any other status, or no response within 10 seconds, is a failure. At most 6 attempts are made within 24 hours.',
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
          default: { description: 'Failure: the delivery is retried.' },
        },
      };
      return [name, { post: operation }];
    }),
  );
