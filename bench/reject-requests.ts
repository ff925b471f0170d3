/**
 * R8: 429 for a key whose requests are used up, against bare Express that responds 429 with the
 * same body, without key, limit, log or metrics. `node bench/reject-requests.ts`. Needs wrk.
 */
import { operator } from '../e2e/operator.ts';
import { call } from './fairness/calls.ts';
import { bearer } from './http/bearer.ts';
import { compareRequests, expressSide, stackSide } from './http/compare-requests.ts';
import { type Prepared, withStack } from './http/with-stack.ts';

/** A budget is per 60 s: after these the key grants a request again. */
const usedUpMs = 50_000;

/** Returns a key whose only read per minute is used up: two keys, in turns. */
const usedUpKeys = async ({ stack, baseUrl, organizationId }: Prepared) => {
  const words = ['--org', organizationId, '--scopes', 'orders:read', '--reads', '1'];
  const issue = async () =>
    (await operator(stack, 'key', 'issue', ...words)).json as { key: string };
  const keys = [await issue(), await issue()];
  let usedUpAt = Number.NEGATIVE_INFINITY;
  return async (): Promise<string> => {
    if (performance.now() > usedUpAt + usedUpMs) {
      keys.reverse();
      await call(new URL(baseUrl).origin, 'GET', '/ping', keys[0]!.key);
      usedUpAt = performance.now();
    }
    return keys[0]!.key;
  };
};

await withStack(async (prepared) => {
  const keyOf = await usedUpKeys(prepared);
  const target = async () => ({
    url: `${prepared.baseUrl}/ping`,
    headers: bearer(await keyOf()),
    status: 429,
  });
  const common = (response: object) => response;
  const express = await expressSide(prepared, '/rejected', 429);
  await compareRequests(
    'R8: 429 against bare Express',
    prepared,
    { ...stackSide(prepared), target, common },
    { ...express, common },
  );
  express.close();
});
