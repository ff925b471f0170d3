import type { CustodyEvent } from '@pto/proto/custody/events/v1/custody_event';
import { eventCustodyJson, eventJson } from '@pto/representation';

/**
 * Returns the body of an event's deliveries (contract 6.5, decision 42), without the number in the
 * endpoint's stream. It never contains addresses, items or notes.
 */
export const eventBody = (custody: CustodyEvent, publicBaseUrl: string): string => {
  const event = custody.event!;
  const { order } = event;
  return JSON.stringify(
    eventJson(
      {
        event: event.type,
        occurredAt: event.tsUtc,
        order: {
          id: event.orderId,
          externalId: order?.externalId ?? null,
          status: order?.status ?? '',
          updatedAt: order?.updatedAt ?? event.tsUtc,
          sequence: event.sequence,
        },
      },
      publicBaseUrl,
      eventCustodyJson(custody.sequence, custody.eventHash),
    ),
  );
};

/**
 * Returns the bytes of a delivery: `body` with the member `sequence`. Every attempt of the delivery
 * signs and sends these bytes.
 * @param body a JSON object of `eventBody`.
 * @param sequence the event's number in the endpoint's stream.
 */
export const deliveryPayload = (body: string, sequence: number): Buffer =>
  Buffer.from(`${body.slice(0, -1)},"sequence":${sequence}}`);

/** Returns the body of an `order.test` event (decision 43). @param now as `Date.toISOString`. */
export const testPayload = (now: string, publicBaseUrl: string): Buffer => {
  const order = {
    id: '00000000-0000-4000-8000-000000000000',
    externalId: 'TEST',
    status: 'submitted',
    updatedAt: now,
    sequence: 1,
  };
  const fields = { event: 'order.test', occurredAt: now, order };
  return Buffer.from(JSON.stringify(eventJson(fields, publicBaseUrl, { test: true })));
};
