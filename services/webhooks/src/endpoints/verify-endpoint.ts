import { findEndpoint, type Which } from '../endpoint-rows/find-endpoint.ts';
import { confirm } from './confirm.ts';
import type { EndpointDeps } from './deps.ts';
import { spendProbe } from './probe-budget.ts';

/**
 * POST /webhooks/{endpoint_id}/verify: repeats the handshake. If it passes, the endpoint becomes
 * ENABLED from any status. If it fails, the status stays (decision 36).
 * @throws Failure NOT_FOUND, RATE_LIMITED.
 */
export const verifyEndpoint = async (deps: EndpointDeps, which: Which, deadline: number) => {
  const found = await findEndpoint(deps.db, which);
  await spendProbe(deps.db, deps.probes, found);
  const { verified, result } = await confirm(deps, found, deadline);
  return { endpoint: await findEndpoint(deps.db, which), verified, result };
};
