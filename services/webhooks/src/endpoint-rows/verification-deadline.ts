import { execute, fragment, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';

/** Endpoints that one run ends the queues of. */
const batchMax = 500;

/**
 * Sets the deadline for the verification of a changed URL, before the endpoint's status changes. An
 * endpoint that was ENABLED gets `silenceMs` from now, by the database's clock; one that has a
 * deadline keeps it; one that was BROKEN or never verified has none. Until the deadline events are
 * queued for the endpoint (docs/decisions/url-change.md).
 */
export const startVerification = async (
  tx: Sql,
  endpointId: string,
  silenceMs: number,
): Promise<void> => {
  await tx.query(
    `update endpoints set verify_by = case status
       when 'ENABLED' then now() + $2::float8 * interval '1 ms'
       when 'PENDING_VERIFICATION' then verify_by end
     where id = $1`,
    [endpointId, silenceMs],
  );
};

const overdue = tables
  .selectFrom('endpoints')
  .select('id')
  .where('verify_by', '<=', fragment<string>`now()`)
  .where('status', '=', 'PENDING_VERIFICATION')
  .orderBy('verify_by')
  .limit(batchMax)
  .forNoKeyUpdate()
  .skipLocked();

/** Ends the queues of endpoints whose deadline is over: what is queued for them becomes stale. */
export const endUnverified = async (sql: Sql): Promise<void> => {
  await execute(
    sql,
    tables
      .updateTable('endpoints')
      .set(({ eb }) => ({
        epoch: eb('epoch', '+', 1),
        epoch_reason: 'unverified',
        verify_by: null,
      }))
      .where('status', '=', 'PENDING_VERIFICATION')
      .where('id', 'in', overdue),
  );
};
