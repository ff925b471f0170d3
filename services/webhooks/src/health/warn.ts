import { execute, insertRows, type Sql, uuidv7 } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { WarningLevel } from './verdict.ts';

/**
 * Queues a warning to administrators, at most one per level since the endpoint's last success or
 * passed handshake. If the failures pass a level before it is judged, that level gets no warning.
 * @param failures minimum number of stored consecutive failures: with fewer, no warning is queued.
 */
export const noteWarning = async (
  sql: Sql,
  endpointId: string,
  level: WarningLevel,
  failures: number,
): Promise<void> => {
  const warned = tables.with('warned', (db) =>
    db
      .updateTable('endpoints')
      .set({ warned_level: level })
      .where('id', '=', endpointId)
      .where('warned_level', '<', level)
      .where('consecutive_failures', '>=', failures)
      .returning(['id', 'organization_id']),
  );
  await execute(
    sql,
    insertRows(
      warned,
      'warnings',
      ({ selectFrom }) => selectFrom('warned'),
      ({ cast, ref, val }) => ({
        id: cast<string>(val(uuidv7()), 'uuid'),
        endpoint_id: ref('warned.id'),
        organization_id: ref('warned.organization_id'),
        level: cast<number>(val(level), 'smallint'),
      }),
    ),
  );
};
