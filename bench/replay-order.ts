/**
 * R11: an idempotent replay of POST /orders against GET of an order, both through the local stack.
 * `node bench/replay-order.ts`. Needs wrk.
 */
import { orderWith } from './fairness/calls.ts';
import { compareRequests, stackSide } from './http/compare-requests.ts';
import { withStack } from './http/stack.ts';
import { bearer, responseOf } from './http/wrk.ts';

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
  await compareRequests(
    'R11: idempotent replay against GET',
    prepared,
    stackSide(prepared, replay),
    stackSide(prepared, get, 'local stack GET'),
  );
});
