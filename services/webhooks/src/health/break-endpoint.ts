import { type Database, execute, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';
import { selectHealth, toHealth } from './health-row.ts';
import { type HealthLimits, isBroken } from './verdict.ts';
import { noteWarning } from './warn.ts';

/**
 * Makes an ENABLED endpoint BROKEN if its health has reached a limit (decision 40), and queues the
 * warning mail. The endpoint's new generation makes its queued deliveries stale, and `endStale`
 * ends them. The endpoint is judged again while its row is locked, so a success that was recorded
 * meanwhile keeps it ENABLED.
 * @returns whether this call made the endpoint BROKEN.
 */
export const breakIfBroken = (
  db: Database,
  endpointId: string,
  limits: HealthLimits,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [row] = await execute(
      tx,
      selectHealth
        .where('e.id', '=', endpointId)
        .where('e.status', '=', 'ENABLED')
        .where('e.disabled', '=', false)
        .forUpdate(),
    );
    if (!row || !isBroken(toHealth(row), limits, row.now_ms)) return false;
    await execute(
      tx,
      tables
        .updateTable('endpoints')
        .set(({ eb }) => ({
          status: 'BROKEN',
          generation: eb('generation', '+', 1),
          generation_reason: 'broken',
        }))
        .where('id', '=', endpointId),
    );
    await noteWarning(tx, endpointId, 100, 0);
    return true;
  });

/**
 * Returns the ids of up to 1,000 endpoints for which the silence limit has passed (decision 40).
 * Such an endpoint is ENABLED and not disabled, and a delivery became EXHAUSTED since its last 2xx
 * response. For `silenceMs` it had no 2xx response and no passed handshake, and it was not created
 * in that time. Endpoints without due deliveries are included.
 */
export const silentEndpoints = async (db: Database, silenceMs: number): Promise<string[]> => {
  const rows = await execute(
    db,
    tables
      .selectFrom('endpoints')
      .select('id')
      .where('status', '=', 'ENABLED')
      .where('disabled', '=', false)
      .where('exhausted', '>', 0)
      .where(
        ({ fn }) => fn<string>('greatest', ['last_success_at', 'verified_at', 'created_at']),
        '<=',
        fragment<string>`now() - ${silenceMs}::float8 * interval '1 ms'`,
      )
      .limit(1000),
  );
  return rows.map(({ id }) => id);
};
