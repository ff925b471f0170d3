import { toBinary } from '@bufbuild/protobuf';
import type { IncomingMessage, OutgoingMessage } from '@pto/bus';
import { contentOf } from '@pto/message-authentication';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { custodyEventsTopic } from '@pto/proto/topics';
import { encodeCustodyEvent } from './encode-custody-event.ts';
import type { EntryRow } from './entry-row.ts';

/** An order event, the bus message that contained it, and the entry that was appended for it. */
export interface Appended {
  readonly event: OrderEvent;
  readonly entry: EntryRow;
  readonly message: IncomingMessage;
}

/**
 * Creates the custody event for an appended entry. It has the order event's id, because both
 * describe the same occurrence.
 */
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
 * Returns the order event's bytes without the proof of origin, which only custody may see. The
 * event is encoded again only if its proof has an unusual encoding, which
 * `EVENTS_WITHOUT_PROOF=accept` lets pass.
 */
const withoutProof = (event: OrderEvent, value: Uint8Array): Uint8Array => {
  if (event.authentication === undefined) return value;
  return contentOf(value) ?? toBinary(OrderEventSchema, { ...event, authentication: undefined });
};
