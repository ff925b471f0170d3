import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { expect, test } from '@jest/globals';
import { messageKeys, messageSigner } from '@pto/message-authentication';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { type OrderEvent, OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { orderEventsTopic } from '@pto/proto/topics';
import { announcement } from '../../src/chain/announcement.ts';
import { encodeCustodyEvent } from '../../src/chain/encode-custody-event.ts';
import { emptyHead, link } from '../../src/chain/link.ts';
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

/** What the announcement of a message says, decoded. */
const announced = (message: ReturnType<typeof messageOf>) => {
  const event = fromBinary(OrderEventSchema, message.value);
  const entry = link(emptyHead(event.orderId), event);
  return { entry, value: announcement({ event, entry, message }).value };
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

test('an announcement is to the byte what protobuf encodes', () => {
  for (const payload of [null, {}, { text: 'x'.repeat(100) }, { text: 'é'.repeat(20_000) }]) {
    const event = anEvent(payload);
    expect(Buffer.from(announced(messageOf(event)).value)).toEqual(Buffer.from(expectedOf(event)));
  }
});

test('each sequence is encoded as protobuf encodes it', () => {
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

test('the proof that was for custody is not announced', () => {
  const event = anEvent();
  const { value } = announced(signAsOrders(messageOf(event)));
  expect(Buffer.from(value)).toEqual(Buffer.from(expectedOf(event)));
});

test('a proof in another encoding, which only EVENTS_WITHOUT_PROOF=accept lets pass, is left out', () => {
  const event = anEvent();
  const proof = messageSigner('orders', {
    custody: messageKeys('KEYS').parse(`k1:${Buffer.alloc(32, 3).toString('base64')}`),
  })(messageOf(event)).value.subarray(toBinary(OrderEventSchema, event).length);
  // the proof first instead of last
  const value = Buffer.concat([proof, toBinary(OrderEventSchema, event)]);
  const decoded = fromBinary(CustodyEventSchema, announced(messageOf(event, value)).value);
  expect(decoded.event).toEqual(event);
});

test('an event without a proof is announced in the bytes that orders wrote', () => {
  const event = anEvent();
  const newer = new BinaryWriter().tag(99, WireType.LengthDelimited).string('new').finish();
  const value = Buffer.concat([newer, toBinary(OrderEventSchema, event)]); // not protobuf's order
  expect(Buffer.from(announced(messageOf(event, value)).value).includes(value)).toBe(true);
});

test('fields of a newer version of orders are passed on', () => {
  const event = anEvent();
  const newer = new BinaryWriter().tag(99, WireType.LengthDelimited).string('new').finish();
  const value = Buffer.concat([toBinary(OrderEventSchema, event), newer]);
  const decoded = fromBinary(
    CustodyEventSchema,
    announced(signAsOrders(messageOf(event, value))).value,
  );
  expect(decoded.event?.$unknown).toMatchObject([{ no: 99 }]);
});
