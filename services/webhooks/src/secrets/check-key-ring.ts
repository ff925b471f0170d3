import { ConfigError } from '@pto/config';
import { execute, fragment, type Sql } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Checks at the start of the service that the ring has the keys of all sealed secrets. Without a
 * key, deliveries to the endpoints of its secrets could not be signed.
 * @throws ConfigError with the ids of missing keys.
 */
export const checkKeyRing = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const present = ring.map(({ id }) => id);
  const missing = await execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(({ cast, fn }) => ['sealing_key', cast<number>(fn.countAll(), 'integer').as('count')])
      .where(({ eb, val }) => eb('sealing_key', '<>', fragment<string>`all (${val(present)})`))
      .groupBy('sealing_key')
      .orderBy('sealing_key'),
  );
  if (missing.length > 0)
    throw new ConfigError(
      missing.map(
        (row) =>
          `WEBHOOKS_SECRET_KEYS: key ${row.sealing_key} is missing; ${row.count} secrets need it`,
      ),
    );
};
