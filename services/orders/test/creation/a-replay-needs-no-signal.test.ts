import { create } from '@bufbuild/protobuf';
import { expect, test } from '@jest/globals';
import { CreateOrderRequestSchema } from '@pto/proto/orders/v1/orders';
import { createOrder } from '../../src/creation/create-order.ts';

const idempotency = { key: 'k', route: 'POST /orders', bodySha256: new Uint8Array(32) };
const request = create(CreateOrderRequestSchema, { organizationId: 'o', idempotency });

test('a replay is returned without the signal of its call', async () => {
  const stored = Buffer.from('{}');
  const deps = { findReplay: async () => stored } as unknown as Parameters<typeof createOrder>[0];
  const call = {
    deadline: performance.now(),
    get signal(): AbortSignal {
      throw new Error('the signal was made');
    },
  };
  expect(await createOrder(deps, request, call)).toEqual({ body: stored, replayed: true });
});
