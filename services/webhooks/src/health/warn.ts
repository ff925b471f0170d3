import { type Sql, uuidv7 } from '@pto/database';
import type { WarningLevel } from './verdict.ts';

/**
 * Queues a warning to administrators, at most once per level since the endpoint's last success or
 * passed handshake. A level that was skipped gets no warning.
 * @param failures minimum of consecutive failures; with fewer in the database nothing is queued.
 */
export const noteWarning = async (
  sql: Sql,
  endpointId: string,
  level: WarningLevel,
  failures: number,
): Promise<void> => {
  await sql.query(
    `with warned as (
       update endpoints set warned_level = $2::smallint
       where id = $1 and warned_level < $2::smallint and consecutive_failures >= $3
       returning id, organization_id
     )
     insert into warnings (id, endpoint_id, organization_id, level)
     select $4::uuid, id, organization_id, $2::smallint from warned`,
    [endpointId, level, failures, uuidv7()],
  );
};
