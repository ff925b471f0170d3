import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, execute, fragment } from '@pto/database';
import { endStale } from '../queue/end-stale.ts';
import { tables } from '../schema/tables.ts';
import type { Deliverer } from './deliverer.ts';

const pollMs = 20;
const waitMostMs = 5000;
/** Time that is left for the response to the caller. */
const reserveMs = 500;

/**
 * Resolves when nothing more is sent to an endpoint that was deleted or disabled: every replica
 * aborts its in-flight attempts, and queued deliveries end. Waits at most 5 s, for example for the
 * lease of a dead process. Beyond the caller's deadline the sweep ends the queued deliveries; they
 * are not sent meanwhile.
 */
export const quiesce = async (
  deps: { db: Database; deliverer: Pick<Deliverer, 'recall'> },
  endpointId: string,
  deadline: number,
): Promise<void> => {
  deps.deliverer.recall(endpointId);
  const latest = deadline - reserveMs;
  const until = performance.now() + Math.min(waitMostMs, latest - Date.now());
  while ((await inFlight(deps.db, endpointId)) && performance.now() < until) await sleep(pollMs);
  await endStale(deps.db, endpointId, latest);
};

const inFlight = async (db: Database, endpointId: string): Promise<boolean> => {
  const rows = await execute(
    db,
    tables
      .selectFrom('pending_deliveries')
      .select('delivery_id')
      .where('endpoint_id', '=', endpointId)
      .where('lease_until', '>', fragment<string>`now()`)
      .limit(1),
  );
  return rows.length > 0;
};
