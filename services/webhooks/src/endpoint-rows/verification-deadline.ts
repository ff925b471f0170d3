import { execute, fragment, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';

/** Maximum number of endpoints for which one call of `endUnverified` starts a new generation. */
const batchMax = 500;

/**
 * Sets the deadline for the verification of a changed URL. The caller must call it before it
 * changes the status. An ENABLED endpoint gets a deadline `silenceMs` milliseconds from now, by the
 * database's clock. A PENDING_VERIFICATION endpoint keeps its deadline, if it has one. A BROKEN
 * endpoint gets none. Until the deadline, events are queued for the endpoint
 * (docs/decisions/url-change.md).
 */
export const startVerification = async (
  tx: Sql,
  endpointId: string,
  silenceMs: number,
): Promise<void> => {
  await execute(
    tx,
    tables
      .updateTable('endpoints')
      .set(({ eb, ref }) => ({
        verify_by: eb
          .case('status')
          .when('ENABLED')
          .then(fragment<string>`now() + ${silenceMs}::float8 * interval '1 ms'`)
          .when('PENDING_VERIFICATION')
          .then(ref('verify_by'))
          .end(),
      }))
      .where('id', '=', endpointId),
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

/**
 * Starts a new generation of up to `batchMax` endpoints whose verification deadline is over. Their
 * queued deliveries become stale, and `endStale` ends them.
 */
export const endUnverified = async (sql: Sql): Promise<void> => {
  await execute(
    sql,
    tables
      .updateTable('endpoints')
      .set(({ eb }) => ({
        generation: eb('generation', '+', 1),
        generation_reason: 'unverified',
        verify_by: null,
      }))
      .where('status', '=', 'PENDING_VERIFICATION')
      .where('id', 'in', overdue),
  );
};
