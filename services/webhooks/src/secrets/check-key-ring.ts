import { ConfigError } from '@pto/config';
import type { Sql } from '@pto/database';
import type { KeyRing } from './key-ring.ts';

/**
 * Refuses to start while secrets are sealed with a key that is not in the ring: their deliveries
 * could not be signed. @throws ConfigError naming the missing keys.
 */
export const checkKeyRing = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const missing = await sql.query<{ sealing_key: string; count: number }>(
    `select sealing_key, count(*)::int as count from endpoint_secrets
     where sealing_key <> all ($1::text[]) group by sealing_key order by sealing_key`,
    [ring.map(({ id }) => id)],
  );
  if (missing.length > 0)
    throw new ConfigError(
      missing.map(
        (row) =>
          `WEBHOOKS_SECRET_KEYS: key ${row.sealing_key} is missing; ${row.count} secrets need it`,
      ),
    );
};
