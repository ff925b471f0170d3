import { execute, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { KeyRing } from './key-ring.ts';
import { open } from './seal.ts';

/**
 * Returns the secret with which an endpoint was created. It is stored for at least a day after that,
 * because a rotation deletes only secrets that expired a day before.
 * @throws Error if the ring lacks its key.
 */
export const firstSecret = async (sql: Sql, ring: KeyRing, endpointId: string): Promise<string> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(['sealing_key', 'sealed'])
      .where('endpoint_id', '=', endpointId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  );
  if (!row) throw new Error(`endpoint ${endpointId} has no secret`);
  return open(ring, endpointId, { keyId: row.sealing_key, bytes: row.sealed });
};
