import { type Sql, uuidv7 } from '@pto/database';
import type { WarningLevel } from './verdict.ts';

/**
 * Notes that administrators are to be warned, once for each level since the endpoint was last well;
 * a level that was skipped is not made up for.
 * @param failures the warning holds only while there are so many.
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
