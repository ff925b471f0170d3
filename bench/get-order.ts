/**
 * R1: GET /orders/{id} through the local stack against Express and pg in one process, with the same
 * row and response bytes. `CONNECTIONS=32,128 node bench/get-order.ts`. Needs wrk.
 */
import { bearer } from './http/bearer.ts';
import { compareRequests, expressSide, stackSide } from './http/compare-requests.ts';
import { withStack } from './http/with-stack.ts';

await withStack(async (prepared) => {
  const { baseUrl, key, orderId } = prepared;
  const target = async () => ({
    url: `${baseUrl}/orders/${orderId}`,
    headers: bearer(key),
    status: 200,
  });
  const express = await expressSide(prepared, `/orders/${orderId}`);
  const common = (response: object) => response;
  await compareRequests(
    'R1: GET /orders/{id} against Express and pg',
    prepared,
    { ...stackSide(prepared), target, common },
    { ...express, common },
  );
  express.close();
});
