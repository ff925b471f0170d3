import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@pto/database';
import type { Deliverer } from './deliverer.ts';
import { endStale } from './end-stale.ts';

const pollMs = 20;
const waitMostMs = 5000;

/**
 * Returns when nothing more is sent to an endpoint that was deleted or disabled just now: attempts
 * in flight are given up, on every replica, and what is queued ends. A process that died with an
 * attempt in hand is not waited for beyond 5 s; nor is anything beyond the caller's deadline.
 */
export const quiesce = async (
  deps: { db: Database; deliverer: Pick<Deliverer, 'recall'> },
  endpointId: string,
  deadline: number,
): Promise<void> => {
  deps.deliverer.recall(endpointId);
  const until = Math.min(Date.now() + waitMostMs, deadline - 200);
  while ((await inFlight(deps.db, endpointId)) && Date.now() < until) await sleep(pollMs);
  await endStale(deps.db, endpointId);
};

const inFlight = async (db: Database, endpointId: string): Promise<boolean> => {
  const rows = await db.query(
    `select 1 from pending_deliveries
     where endpoint_id = $1 and lease_until > now() limit 1`,
    [endpointId],
  );
  return rows.length > 0;
};
