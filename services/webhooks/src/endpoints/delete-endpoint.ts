import { quiesce } from '../deliverer/quiesce.ts';
import { lockEndpoint, type Which } from '../endpoint-rows/find-endpoint.ts';
import type { EndpointDeps } from './deps.ts';

/**
 * DELETE /webhooks/{endpoint_id}: the endpoint and its secret are gone; when this resolves nothing
 * is sent to it any more. What was delivered stays in the log. @throws Failure NOT_FOUND.
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
