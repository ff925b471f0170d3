import { type Database, execute, fragment } from '@pto/database';
import { tables } from '../schema/tables.ts';
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
    await execute(
      tx,
      tables
        .updateTable('endpoints')
        .set(({ eb }) => ({
          status: 'BROKEN',
          epoch: eb('epoch', '+', 1),
          epoch_reason: 'broken',
        }))
        .where('id', '=', endpointId),
    );
    await noteWarning(tx, endpointId, 100, 0);
    return true;
  });

/** Endpoints that a long silence may have broken, whether or not anything is sent to them now. */
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
