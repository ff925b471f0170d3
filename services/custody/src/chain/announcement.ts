import { toBinary } from '@bufbuild/protobuf';
import type { IncomingMessage, OutgoingMessage } from '@pto/bus';
import { contentOf } from '@pto/message-authentication';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { custodyEventsTopic } from '@pto/proto/topics';
import { encodeCustodyEvent } from './encode-custody-event.ts';
import type { EntryRow } from './entry-row.ts';

/** An order event that became an entry. */
export interface Appended {
  readonly event: OrderEvent;
  readonly entry: EntryRow;
  readonly message: IncomingMessage;
}

/** The custody event carries the order event's id: one thing that happened has one id. */
export const announcement = ({ event, entry, message }: Appended): OutgoingMessage => ({
  topic: custodyEventsTopic,
  key: event.orderId,
  id: event.id,
  type: event.type,
  traceparent: message.traceparent,
  requestId: message.requestId,
  value: encodeCustodyEvent(withoutProof(event, message.value), entry),
});

/**
 * The order event's bytes as orders wrote them, without the proof that was for custody alone.
 * Only a proof in an unusual encoding, which `EVENTS_WITHOUT_PROOF=accept` lets pass, makes it
 * necessary to encode the event again.
 */
const withoutProof = (event: OrderEvent, value: Uint8Array): Uint8Array => {
  if (event.authentication === undefined) return value;
  return contentOf(value) ?? toBinary(OrderEventSchema, { ...event, authentication: undefined });
};
