import { confirm } from './confirm.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint, type Which } from './find-endpoint.ts';

/**
 * POST /webhooks/{endpoint_id}/verify: the handshake again. Passed: ENABLED, whatever it was.
 * Failed: as it was (decision 36). @throws Failure NOT_FOUND.
 */
export const verifyEndpoint = async (deps: EndpointDeps, which: Which, deadline: number) => {
  const verified = await confirm(deps, await findEndpoint(deps.db, which), deadline);
  return { endpoint: await findEndpoint(deps.db, which), verified };
};
