/**
 * R1: GET /orders/{id} through the local stack against Express and pg in one process, with the same
 * row and response bytes. `CONNECTIONS=32,128 node bench/get-order.ts`. Needs wrk.
 */
import { compareRequests, expressSide, stackSide } from './http/compare-requests.ts';
import { withStack } from './http/stack.ts';
import { bearer } from './http/wrk.ts';

await withStack(async (prepared) => {
  const path = `/orders/${prepared.orderId}`;
  const target = { url: prepared.baseUrl + path, headers: bearer(prepared.key), status: 200 };
  const express = await expressSide(prepared, path);
  const what = 'R1: GET /orders/{id} against Express and pg';
  await compareRequests(what, prepared, stackSide(prepared, target), express);
  express.close();
});
