/**
 * R11: an idempotent replay of POST /orders against GET of an order, both through the local stack.
 * `node bench/replay-order.ts`. Needs wrk.
 */
import { orderWith } from './fairness/calls.ts';
import { bearer } from './http/bearer.ts';
import { compareRequests, stackSide } from './http/compare-requests.ts';
import { responseOf } from './http/response-of.ts';
import { withStack } from './http/with-stack.ts';

await withStack(async (prepared) => {
  const { baseUrl, key } = prepared;
  const replay = {
    url: `${baseUrl}/orders`,
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json', 'idempotency-key': 'r' },
    body: JSON.stringify(orderWith(2)),
    status: 201,
  };
  const { id } = await responseOf(replay);
  const get = { url: `${baseUrl}/orders/${id}`, headers: bearer(key), status: 200 };
  const common = (response: object) => response;
  await compareRequests(
    'R11: idempotent replay against GET',
    prepared,
    { ...stackSide(prepared), target: async () => replay, common },
    { ...stackSide(prepared, 'local stack GET'), target: async () => get, common },
  );
});
