/**
 * R12: GET /orders?limit=50 through the local stack against Express and pg in one process, with the
 * same rows; the local stack's response has a cursor as well. `node bench/list-orders.ts`. Needs wrk.
 */
import { bearer } from './http/bearer.ts';
import { compareRequests, expressSide, stackSide } from './http/compare-requests.ts';
import { withStack } from './http/with-stack.ts';

await withStack(async (prepared) => {
  const { baseUrl, key } = prepared;
  const target = async () => ({
    url: `${baseUrl}/orders?limit=50`,
    headers: bearer(key),
    status: 200,
  });
  const express = await expressSide(prepared, '/orders?limit=50');
  const common = ({ data }: Record<string, unknown>) => data;
  await compareRequests(
    'R12: GET /orders?limit=50 against Express and pg',
    prepared,
    { ...stackSide(prepared), target, common },
    { ...express, common },
  );
  express.close();
});
