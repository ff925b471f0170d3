/** Messages with large values of type `bytes` are the same on the wire, and are copied once. */
import {
  create,
  type DescMessage,
  fromBinary,
  type MessageInitShape,
  toBinary,
} from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import {
  CreateOrderRequestSchema,
  CreateOrderResponseSchema,
  GetOrderResponseSchema,
  ListOrdersResponseSchema,
  ReadingsSchema,
} from '@pto/proto/orders/v1/orders';
import { BundledResultSchema } from '@pto/proto/rpc/v1/bundle';
import { largeBytes, serializerOf } from '../src/serialize.ts';

/** Bytes that differ from their neighbors. */
const bytes = (length: number) => Buffer.alloc(length, 'partner transport orders');
const [small, edge, large] = [bytes(largeBytes - 1), bytes(largeBytes), bytes(459_007)];

const message = <D extends DescMessage>(descriptor: D, init: MessageInitShape<D>) => ({
  descriptor: descriptor as DescMessage,
  message: create(descriptor, init),
});

test.each([
  ['a large value', message(GetOrderResponseSchema, { body: large })],
  ['a value at the limit', message(GetOrderResponseSchema, { body: edge })],
  ['a value below the limit', message(GetOrderResponseSchema, { body: small })],
  ['no value', message(GetOrderResponseSchema, {})],
  [
    'a large value before another field',
    message(CreateOrderResponseSchema, { body: large, replayed: true }),
  ],
  [
    'a list, in its order',
    message(ListOrdersResponseSchema, {
      bodies: [small, large, edge, bytes(0)],
      nextCursor: 'c',
      asOf: 'a',
    }),
  ],
  [
    'a list of small values',
    message(ListOrdersResponseSchema, { bodies: [small, bytes(3)], nextCursor: 'c' }),
  ],
  ['an empty list', message(ListOrdersResponseSchema, {})],
  [
    'texts beside a large value',
    message(ReadingsSchema, { content: large, mediaType: 'text/csv' }),
  ],
  [
    'a value of a oneof',
    message(BundledResultSchema, { place: 3, outcome: { case: 'response', value: large } }),
  ],
  [
    'no field of type bytes',
    message(CreateOrderRequestSchema, { sla: 'STANDARD', goodsTypes: ['b', 'c'] }),
  ],
])('a message with %s is read as it was written', (_, { descriptor, message }) => {
  const given = structuredClone(message);
  const written = serializerOf(descriptor)(message);
  expect(fromBinary(descriptor, written)).toEqual(message);
  expect(written.length).toBe(toBinary(descriptor, message).length);
  expect(message).toEqual(given);
});

test('a page of 1 MiB takes no more memory than its message, and its fields', () => {
  const serialize = serializerOf(ListOrdersResponseSchema);
  const page = create(ListOrdersResponseSchema, { bodies: [large, large], nextCursor: 'c' });
  serialize(page);
  const before = process.memoryUsage().arrayBuffers;
  const written = serialize(page);
  const taken = process.memoryUsage().arrayBuffers - before;
  expect(taken).toBeLessThan(1.1 * written.length);
});
