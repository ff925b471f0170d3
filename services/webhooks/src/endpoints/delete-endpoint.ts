import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, execute, fragment } from '@pto/database';
import { storeDeleted } from '../deliveries/endpoint-addresses.ts';
import { endStale } from '../queue/end-stale.ts';
import { type EndpointKey, tables } from '../schema/entities.ts';
import { reserveMs } from './constant-time.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';

/**
 * DELETE /webhooks/{endpoint_id}: deletes the endpoint with its secrets, and ends its queued
 * deliveries as `quiesce` does. Its deliveries stay readable, with its host and path (decision 80).
 * @throws Failure NOT_FOUND.
 */
export const deleteEndpoint = async (
  { db }: Pick<EndpointDeps, 'db'>,
  key: EndpointKey,
  deadline: number,
): Promise<void> => {
  await db.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, key, 'update');
    await storeDeleted(tx, endpoint);
    await execute(
      tx,
      tables
        .deleteFrom('endpoints')
        .where('organization_id', '=', key.organizationId)
        .where('id', '=', endpoint.id),
    );
  });
  await quiesce(db, key, deadline);
};

const pollMs = 20;
const waitMostMs = 5000;

/**
 * Stops the sending to an endpoint that was deleted or disabled. Waits up to 5 s until no replica
 * leases a delivery of the endpoint: each aborts its attempts within 200 ms (in-flight.ts). Then
 * ends the endpoint's queued deliveries. Deliveries that are still queued shortly before the
 * deadline are not sent; the deliverer's sweep ends them.
 * @param deadline the caller's deadline, a time of `performance.now()`.
 */
export const quiesce = async (
  db: Database,
  endpoint: EndpointKey,
  deadline: number,
): Promise<void> => {
  const latest = deadline - reserveMs;
  const until = Math.min(performance.now() + waitMostMs, latest);
  while ((await inFlight(db, endpoint)) && performance.now() < until) await sleep(pollMs);
  await endStale(db, endpoint, latest);
};

const inFlight = async (db: Database, { organizationId, id }: EndpointKey): Promise<boolean> => {
  const rows = await execute(
    db,
    tables
      .selectFrom('pending_deliveries')
      .select('delivery_id')
      .where('organization_id', '=', organizationId)
      .where('endpoint_id', '=', id)
      .where('lease_until', '>', fragment<string>`now()`)
      .limit(1),
  );
  return rows.length > 0;
};
