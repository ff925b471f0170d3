/**
 * R7: GET /orders/{id} through a gateway with the rate limiter against the same without, on one
 * local stack. The limiter is the budgets of keys in Redis; the limits of bytes and of concurrent
 * requests stay on both sides. Both gateways are started from the sources. `node
 * bench/limit-requests.ts`. Needs wrk.
 */
import { compareRequests } from './http/compare-requests.ts';
import { withStack } from './http/with-stack.ts';
import { gatewaySide } from './limiter/gateway-side.ts';

await withStack(async (prepared) => {
  const path = `/orders/${prepared.orderId}`;
  const limited = await gatewaySide(prepared, path, true);
  const unlimited = await gatewaySide(prepared, path, false);
  await compareRequests(
    'R7: GET /orders/{id} with the rate limiter against without',
    prepared,
    limited,
    unlimited,
  );
  limited.close();
  unlimited.close();
});
