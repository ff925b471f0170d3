import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { expect, test } from '@jest/globals';
import { readConfig } from '@pto/config';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import { OrderEventSchema } from '@pto/proto/orders/events/v1/order_event';
import { messageKeys, messageSigner, messageVerifier, rejectSharedKeys } from '../src/index.ts';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;
const ring = (...keys: string[]) => messageKeys('ORDERS_CUSTODY_KEYS').parse(keys.join(','));
const [k1, k2] = [key('k1', 1), key('k2', 2)];

const event = create(OrderEventSchema, {
  id: '0190d0c4-0a55-7c3e-8a1f-5f1f7b2f9d01',
  orderId: '0190d0c4-8f5e-7b7e-9b0a-2f6d1c9e7a11',
  sequence: 3,
  type: 'order.sealed',
  internalType: 'SEAL_APPLIED',
  payloadJson: '{"seal_ids":["S-1042"]}',
});
const message = {
  topic: 'orders.order-events.v1',
  key: event.orderId,
  id: event.id,
  type: event.type,
  value: toBinary(OrderEventSchema, event),
};
const sign = (keys: string[], sender = 'orders', recipient = 'custody') =>
  messageSigner(sender, { [recipient]: ring(...keys) })(message);
const link = { sender: 'orders', recipient: 'custody' };
const verify = (...keys: string[]) => messageVerifier({ ...link, keys: ring(...keys) });

test('accepts what the sender signed, and readers without keys can read it', () => {
  const signed = sign([k1]);
  expect(verify(k1)(signed)).toBeUndefined();
  const read = fromBinary(OrderEventSchema, signed.value);
  expect(read.authentication?.codes.map(({ recipient, keyId }) => [recipient, keyId])).toEqual([
    ['custody', 'k1'],
  ]);
  delete read.authentication;
  expect(read).toEqual(event);
});

test('field 15 is the proof in both events', () => {
  for (const schema of [OrderEventSchema, CustodyEventSchema])
    expect(schema.field.authentication.number).toBe(15);
});

test('rejects a message whose topic, key, id or type is another one', () => {
  const signed = sign([k1]);
  for (const change of [
    { topic: 'custody.custody-events.v1' },
    { key: event.id },
    { id: event.orderId },
    { type: 'order.delivered' },
  ])
    expect(verify(k1)({ ...signed, ...change })).toMatch(/does not match/);
});

test('rejects every message with one changed byte, and every shorter or longer one', () => {
  const signed = sign([k1]);
  for (let n = 0; n < signed.value.length; n++) {
    const value = Uint8Array.from(signed.value);
    value[n]! ^= 1;
    expect(verify(k1)({ ...signed, value })).toBeDefined();
    expect(verify(k1)({ ...signed, value: signed.value.subarray(0, n) })).toBeDefined();
  }
  const longer = Buffer.concat([signed.value, message.value]);
  expect(verify(k1)({ ...signed, value: longer })).toBe(
    'it carries no proof of origin for custody',
  );
  expect(
    verify(k1)({ ...signed, value: Buffer.concat([signed.value, signed.value]) }),
  ).toBeDefined();
});

test.each([0, 1, 15, 16, 31, 32, 33, 64])(
  'accepts a code of %i bytes that begins as the right one only if it is complete',
  (length) => {
    const [right] = fromBinary(OrderEventSchema, sign([k1]).value).authentication!.codes;
    const code = Buffer.concat([right!.code, right!.code]).subarray(0, length);
    // written by hand, because an encoder leaves an empty code out
    const label = new BinaryWriter().tag(1, 2).string('custody').tag(2, 2).string('k1');
    const codes = new BinaryWriter().tag(1, 2).bytes(label.tag(3, 2).bytes(code).finish());
    const field = new BinaryWriter().tag(15, 2).bytes(codes.finish()).finish();
    const value = Buffer.concat([message.value, field]);
    const verdict = verify(k1)({ ...message, value });
    if (length === 32) expect(verdict).toBeUndefined();
    else expect(verdict).toMatch(length === 0 ? /no proof of origin/ : /does not match/);
  },
);

test('carries the codes of several recipients as protobuf encodes them', () => {
  const rings = { orders: ring(k1), webhooks: ring(key('a-longer-id-of-a-key', 3), k2) };
  const signed = messageSigner('custody', rings)(message);
  const { authentication } = fromBinary(OrderEventSchema, signed.value);
  const field = toBinary(OrderEventSchema, create(OrderEventSchema, { authentication }));
  expect(Buffer.from(signed.value)).toEqual(Buffer.concat([message.value, field]));
  for (const [recipient, keys] of Object.entries(rings))
    expect(messageVerifier({ sender: 'custody', recipient, keys })(signed)).toBeUndefined();
});

test('rejects a message without proof, and bytes that are no message', () => {
  for (const value of [message.value, new Uint8Array(), Buffer.from('not protobuf')])
    expect(verify(k1)({ ...message, value })).toBe('it carries no proof of origin for custody');
});

test('rejects a proof of another sender, for another recipient, or with an unknown key', () => {
  expect(verify(k1)(sign([k1], 'custody'))).toMatch(/does not match/);
  expect(verify(k1)(sign([k1], 'orders', 'webhooks'))).toMatch(/no proof of origin for custody/);
  expect(verify(k1)(sign([key('k1', 9)]))).toMatch(/the key k1 of ORDERS_CUSTODY_KEYS is another/);
  expect(verify(k1)(sign([k2]))).toBe(
    'its proof names the key k2, which ORDERS_CUSTODY_KEYS does not hold',
  );
});

test('a rotation with overlap verifies each message at each step', () => {
  // add the new key behind everywhere, put it first, remove the old one
  const steps = [[k1], [k1, k2], [k2, k1], [k2]];
  for (const [n, sending] of steps.entries())
    for (const receiving of steps.slice(Math.max(0, n - 1), n + 2))
      expect(verify(...receiving)(sign(sending))).toBeUndefined();
  expect(verify(k2)(sign([k1, k2]))).toMatch(/the key k1/);
});

test.each([
  ['an empty ring', ','],
  ['a key without an id', Buffer.alloc(32).toString('base64')],
  ['31 bytes', `k1:${Buffer.alloc(31).toString('base64')}`],
  ['an id twice', `${k1},${key('k1', 2)}`],
])('rejects %s as a setting, without its value', (_, text) => {
  const declarations = { keys: messageKeys('ORDERS_CUSTODY_KEYS') };
  const reading = () => readConfig(declarations, { ORDERS_CUSTODY_KEYS: text });
  expect(reading).toThrow(/ORDERS_CUSTODY_KEYS: expected/);
  expect(reading).not.toThrow(Buffer.alloc(31).toString('base64').slice(0, 20));
});

test('the setting is required and never printed', () => {
  const declarations = { keys: messageKeys('ORDERS_CUSTODY_KEYS') };
  expect(() => readConfig(declarations, {})).toThrow('ORDERS_CUSTODY_KEYS is required');
  const { masked } = readConfig(declarations, { ORDERS_CUSTODY_KEYS: k1 });
  expect(masked).toEqual({ ORDERS_CUSTODY_KEYS: '***' });
});

test('two rings with a key in common are rejected', () => {
  const other = messageKeys('CUSTODY_WEBHOOKS_KEYS').parse(`${key('other-id', 2)}`);
  expect(() => rejectSharedKeys(ring(k1, k2), other)).toThrow(/hold the same key/);
  expect(() => rejectSharedKeys(ring(k1), other)).not.toThrow();
});
