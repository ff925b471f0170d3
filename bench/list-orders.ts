/**
 * R12: GET /orders?limit=50 through the local stack against Express and pg in one process, with the
 * same rows; the local stack's response has a cursor as well. `node bench/list-orders.ts`. Needs wrk.
 */
import { compareRequests, expressSide, stackSide } from './http/compare-requests.ts';
import { withStack } from './http/stack.ts';
import { bearer } from './http/wrk.ts';

const path = '/orders?limit=50';

await withStack(async (prepared) => {
  const target = { url: prepared.baseUrl + path, headers: bearer(prepared.key), status: 200 };
  const express = await expressSide(prepared, path);
  const common = ({ data }: Record<string, unknown>) => data;
  await compareRequests(
    'R12: GET /orders?limit=50 against Express and pg',
    prepared,
    { ...stackSide(prepared, target), common },
    { ...express, common },
  );
  express.close();
});
