import { quiesce } from '../deliverer/quiesce.ts';
import { lockEndpoint, type Which } from '../endpoint-rows/find-endpoint.ts';
import type { EndpointDeps } from './deps.ts';

/**
 * DELETE /webhooks/{endpoint_id}: deletes the endpoint with its secrets, and ends its queued
 * deliveries as `quiesce` does. Past deliveries stay stored. @throws Failure NOT_FOUND.
 */
export const deleteEndpoint = async (
  deps: EndpointDeps,
  which: Which,
  deadline: number,
): Promise<void> => {
  await deps.db.transaction(async (tx) => {
    tx.em.remove(await lockEndpoint(tx, which));
    await tx.em.flush();
  });
  await quiesce(deps, which.id, deadline);
};
