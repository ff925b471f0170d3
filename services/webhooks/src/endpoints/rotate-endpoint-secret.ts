import { findEndpoint, lockEndpoint, type Which } from '../endpoint-rows/find-endpoint.ts';
import { rotateSecret } from '../secrets/rotate-secret.ts';
import type { EndpointDeps } from './deps.ts';

/**
 * POST /webhooks/{endpoint_id}/secret/rotate: returns a new signing secret; no later call returns
 * it. During the overlap, deliveries are signed with the old and the new secret.
 * @throws Failure NOT_FOUND.
 */
export const rotateEndpointSecret = async (
  { db, ring }: Pick<EndpointDeps, 'db' | 'ring'>,
  which: Which,
  overlapSeconds: number,
) => {
  const rotated = await db.transaction(async (tx) => {
    const { id } = await lockEndpoint(tx, which);
    return rotateSecret(tx, ring, id, overlapSeconds);
  });
  return { endpoint: await findEndpoint(db, which), ...rotated };
};
