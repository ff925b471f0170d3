import type { CustodyEvent } from '@pto/proto/custody/events/v1/custody_event';

/**
 * Returns the body of an event's deliveries (contract 6.5, decision 42), without the number in the
 * endpoint's stream. It never contains addresses, items or notes.
 */
export const eventBody = (custody: CustodyEvent, publicBaseUrl: string): string => {
  const event = custody.event!;
  return envelope({
    event: event.type,
    occurredAt: event.tsUtc,
    publicBaseUrl,
    order: {
      id: event.orderId,
      external_id: event.order?.externalId ?? null,
      status: (event.order?.status ?? '').toLowerCase(),
      updated_at: event.order?.updatedAt ?? event.tsUtc,
      sequence: event.sequence,
    },
    more: { custody: { sequence: custody.sequence, head_hash: custody.eventHash } },
  });
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
export const testPayload = (now: string, publicBaseUrl: string): Buffer =>
  Buffer.from(
    envelope({
      event: 'order.test',
      occurredAt: now,
      publicBaseUrl,
      order: {
        id: '00000000-0000-4000-8000-000000000000',
        external_id: 'TEST',
        status: 'submitted',
        updated_at: now,
        sequence: 1,
      },
      more: { test: true },
    }),
  );

interface Envelope {
  readonly event: string;
  readonly occurredAt: string;
  readonly publicBaseUrl: string;
  readonly order: {
    readonly id: string;
    readonly external_id: string | null;
    readonly status: string;
    readonly updated_at: string;
    readonly sequence: number;
  };
  /** Further members of `data`. */
  readonly more: object;
}

const envelope = ({ event, occurredAt, publicBaseUrl, order, more }: Envelope): string =>
  JSON.stringify({
    event,
    occurred_at: occurredAt,
    data: { order, ...more },
    links: { order: `${publicBaseUrl.replace(/\/+$/, '')}/orders/${order.id}` },
  });
