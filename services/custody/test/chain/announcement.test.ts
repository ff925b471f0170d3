import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { expect, test } from '@jest/globals';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { announcement, emptyHead, encodeCustodyEvent, link } from '../../src/chain/entry.ts';
import { anOrderId, anOrganization, eventsOf, signAsOrders } from '../custody-service.ts';

const anEvent = (payload: object | null = { b: 1.5, a: 'ä😀' }): OrderEvent =>
  eventsOf(anOrderId(), anOrganization(), 1, payload)[0]!;

const messageOf = (event: OrderEvent, value = toBinary(OrderEventSchema, event)) => ({
  topic: orderEventsTopic,
  key: event.orderId,
  id: event.id,
  type: event.type,
  value,
  partition: 0,
  offset: '0',
});

/** The announcement of a message that orders has signed. */
const announced = (message: ReturnType<typeof messageOf>) => {
  const event = fromBinary(OrderEventSchema, message.value);
  const entry = link(emptyHead(event.orderId), event);
  return { entry, value: announcement({ event, entry, message: signAsOrders(message) }).value };
};

const expectedOf = (event: OrderEvent) => {
  const entry = link(emptyHead(event.orderId), event);
  return toBinary(
    CustodyEventSchema,
    create(CustodyEventSchema, {
      event,
      sequence: entry.sequence,
      eventHash: entry.event_hash,
      prevEventHash: entry.prev_event_hash,
    }),
  );
};

test('encodes an event as protobuf does, without the proof that was for custody', () => {
  for (const payload of [null, {}, { text: 'x'.repeat(100) }, { text: 'é'.repeat(20_000) }]) {
    const event = anEvent(payload);
    expect(Buffer.from(announced(messageOf(event)).value)).toEqual(Buffer.from(expectedOf(event)));
  }
});

test('encodes each sequence as protobuf does', () => {
  const event = toBinary(OrderEventSchema, anEvent());
  const entry = link(emptyHead('o'), { ...anEvent(), orderId: 'o' });
  for (const sequence of [1, 127, 128, 16_383, 16_384, 2 ** 28, 2 ** 31 - 1]) {
    const encoded = encodeCustodyEvent(event, { ...entry, sequence });
    const decoded = fromBinary(CustodyEventSchema, encoded);
    expect(Buffer.from(encoded)).toEqual(Buffer.from(toBinary(CustodyEventSchema, decoded)));
    expect(decoded).toMatchObject({
      sequence,
      eventHash: entry.event_hash,
      prevEventHash: entry.prev_event_hash,
    });
  }
});

test('passes on fields of a newer version of orders', () => {
  const event = anEvent();
  const newer = new BinaryWriter().tag(99, WireType.LengthDelimited).string('new').finish();
  const value = Buffer.concat([toBinary(OrderEventSchema, event), newer]);
  const decoded = fromBinary(CustodyEventSchema, announced(messageOf(event, value)).value);
  expect(decoded.event?.$unknown).toMatchObject([{ no: 99 }]);
});
