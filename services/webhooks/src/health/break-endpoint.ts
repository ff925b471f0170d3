import type { Database } from '@pto/database';
import { type HealthRow, healthColumns, toHealth } from './health-row.ts';
import { type HealthLimits, isBroken } from './verdict.ts';
import { noteWarning } from './warn.ts';

/**
 * Makes an endpoint BROKEN if it is to be (decision 40): nothing more is queued for it, and what
 * is queued has ended. The row is locked and judged again, so that a success in between saves it.
 * @returns whether it became BROKEN now.
 */
export const breakIfBroken = (
  db: Database,
  endpointId: string,
  limits: HealthLimits,
): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [row] = await tx.query<HealthRow>(
      `select ${healthColumns()} from endpoints
       where id = $1 and status = 'ENABLED' and not disabled for update`,
      [endpointId],
    );
    if (!row || !isBroken(toHealth(row), limits, row.now_ms)) return false;
    await tx.query(
      `update endpoints set status = 'BROKEN', epoch = epoch + 1, epoch_reason = 'broken'
       where id = $1`,
      [endpointId],
    );
    await noteWarning(tx, endpointId, 100, 0);
    return true;
  });

/** Endpoints that a long silence may have broken, whether or not anything is sent to them now. */
export const silentEndpoints = async (db: Database, silenceMs: number): Promise<string[]> => {
  const rows = await db.query<{ id: string }>(
    `select id from endpoints where status = 'ENABLED' and not disabled and exhausted > 0
       and greatest(last_success_at, verified_at, created_at)
         <= now() - $1::float8 * interval '1 ms'
     limit 1000`,
    [silenceMs],
  );
  return rows.map(({ id }) => id);
};
