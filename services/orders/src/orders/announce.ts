import { create, toBinary } from '@bufbuild/protobuf';
import { canonicalJson } from '@pto/custody-verifier';
import { type Transaction, uuidv7 } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import { addToOutbox } from '@pto/outbox';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import type { Announcement } from '../domain/order.ts';
import { recordProduced } from '../evidence/record-produced.ts';

/**
 * Writes an order's event to the outbox in the transaction that changes the order, and the event's
 * digest as evidence (decision 55).
 */
export const announce = async (
  tx: Transaction,
  sign: Sign,
  order: {
    id: string;
    organizationId: string;
    externalId: string | null;
    status: string;
    /** Time of the change, `YYYY-MM-DDTHH:mm:ss.sssZ`. */
    updatedAt: string;
    /** Number of the event. */
    sequence: number;
  },
  announcement: Announcement,
): Promise<void> => {
  const id = uuidv7();
  const { payload, position } = announcement;
  const event = create(OrderEventSchema, {
    id,
    organizationId: order.organizationId,
    orderId: order.id,
    sequence: order.sequence,
    type: announcement.type,
    internalType: announcement.internalType,
    tsUtc: announcement.tsUtc,
    ...(position && { position }),
    payloadJson: payload === null ? '' : canonicalJson(payload),
    order: {
      ...(order.externalId !== null && { externalId: order.externalId }),
      status: order.status,
      updatedAt: order.updatedAt,
    },
  });
  await recordProduced(tx, {
    order_id: order.id,
    sequence: order.sequence,
    id,
    type: announcement.type,
    internal_type: announcement.internalType,
    ts_utc: announcement.tsUtc,
    gps_lat: position?.lat ?? null,
    gps_lng: position?.lng ?? null,
    payload,
  });
  const message = {
    topic: orderEventsTopic,
    key: order.id,
    id,
    type: announcement.type,
    value: toBinary(OrderEventSchema, event),
  };
  await addToOutbox(tx, [sign(message)]);
};
