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

/** Returns the order's `external_id` that the bytes of a delivery carry; empty: there is none. */
export const externalIdIn = (payload: Buffer): string =>
  JSON.parse(payload.toString()).data?.order?.external_id ?? '';
