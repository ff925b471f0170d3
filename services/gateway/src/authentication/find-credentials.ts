import type { Sql } from '@pto/database';
import { rangesOf } from '../access/allowed-cidrs.ts';
import { isScope } from '../access/scopes.ts';
import type { Rows } from '../schema/tables.ts';
import type { Credentials } from './credentials.ts';

type Key = Rows['api_keys'];

interface Row
  extends Pick<Key, 'hash' | 'id' | 'scopes' | 'expires_at' | 'allowed_cidrs' | 'organization_id'>,
    Pick<Key, 'reads_per_minute' | 'writes_per_minute'>,
    Pick<Rows['organizations'], 'name' | 'enabled'> {
  readonly revoked: boolean;
}

/**
 * Looks up keys by their hashes, in one statement.
 * @returns the credentials of the known keys, by the hash in base64.
 */
export const findCredentials = async (
  sql: Sql,
  hashes: readonly Buffer[],
): Promise<ReadonlyMap<string, Credentials>> => {
  const rows = await sql.query<Row>(
    `select k.hash, k.id, k.scopes, k.expires_at, k.revoked_at is not null as revoked,
       k.reads_per_minute, k.writes_per_minute, k.allowed_cidrs, o.id as organization_id, o.name, o.enabled
     from api_keys k join organizations o on o.id = k.organization_id
     where k.hash = any($1::bytea[])`,
    [hashes],
  );
  return new Map(rows.map((row) => [row.hash.toString('base64'), credentialsOf(row)]));
};

const credentialsOf = (row: Row): Credentials => ({
  keyId: row.id,
  organization: { id: row.organization_id, name: row.name, enabled: row.enabled },
  scopes: new Set(row.scopes.filter(isScope)),
  limits: { reads: row.reads_per_minute, writes: row.writes_per_minute },
  expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
  revoked: row.revoked,
  allowedFrom: row.allowed_cidrs && rangesOf(row.allowed_cidrs),
});
