import { handshake } from '../handshake/handshake.ts';
import type { EndpointDeps } from './deps.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Runs the handshake and, when it passes, makes the endpoint ENABLED and well: its failures are
 * forgotten (decision 36). A result for a URL that was changed meanwhile counts for nothing.
 * @returns whether the endpoint has proven itself.
 */
export const confirm = async (
  { db, egress, deliverer }: EndpointDeps,
  { id, url, urlVersion }: Pick<Endpoint, 'id' | 'url' | 'urlVersion'>,
  deadline: number,
): Promise<boolean> => {
  if (!(await handshake(egress, url, deadline))) return false;
  const enabled = await db.query(
    `update endpoints set status = 'ENABLED', verified_at = now(), consecutive_failures = 0,
       failing_since = null, exhausted = 0, warned_level = 0
     where id = $1 and url_version = $2 returning id`,
    [id, urlVersion],
  );
  deliverer.wake();
  return enabled.length > 0;
};
