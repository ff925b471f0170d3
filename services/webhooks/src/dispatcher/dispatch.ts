import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { type Transaction, uuidv7 } from '@pto/database';
import { type CustodyEvent, CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { enqueue, type NewDelivery } from '../deliveries/enqueue.ts';
import { deliveryPayload } from './payload.ts';
import { type Subscriber, subscribersOf, wants } from './subscribers.ts';

/**
 * Turns what the ledger announces into deliveries: one for each endpoint of the order's
 * organisation that wants the event, queued in the given transaction, in the events' order.
 * @returns how many were queued.
 */
export const dispatchEvents = async (
  messages: readonly IncomingMessage[],
  tx: Transaction,
  publicBaseUrl: string,
): Promise<number> => {
  const events = messages.map((message) => fromBinary(CustodyEventSchema, message.value));
  const organizations = new Set(events.map((custody) => custody.event!.organizationId));
  const subscribers = await subscribersOf(tx, [...organizations]);
  if (subscribers.length === 0) return 0;
  const byOrganization = Map.groupBy(subscribers, ({ organizationId }) => organizationId);
  const deliveries = events.flatMap((custody) =>
    deliveriesOf(custody, byOrganization.get(custody.event!.organizationId) ?? [], publicBaseUrl),
  );
  await enqueue(tx, deliveries);
  return deliveries.length;
};

const deliveriesOf = (
  custody: CustodyEvent,
  subscribers: readonly Subscriber[],
  publicBaseUrl: string,
): NewDelivery[] => {
  const event = custody.event!;
  const wanting = subscribers.filter((subscriber) => wants(subscriber, event.type));
  if (wanting.length === 0) return [];
  const payload = deliveryPayload(custody, publicBaseUrl);
  return wanting.map((subscriber) => ({
    id: uuidv7(),
    endpointId: subscriber.id,
    organizationId: event.organizationId,
    orderId: event.orderId,
    eventId: event.id,
    event: event.type,
    payload,
    replayOf: null,
    epoch: subscriber.epoch,
  }));
};
