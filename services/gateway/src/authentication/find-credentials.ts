import type { Sql } from '@pto/database';
import { isScope } from '../access/scopes.ts';
import type { Credentials } from './credentials.ts';

interface Row {
  readonly id: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly revoked: boolean;
  readonly reads_per_minute: number | null;
  readonly writes_per_minute: number | null;
  readonly organization_id: string;
  readonly name: string;
  readonly enabled: boolean;
}

/** Looks a key up by its hash; null where nobody has it. */
export const findCredentials = async (sql: Sql, hash: Buffer): Promise<Credentials | null> => {
  const [row] = await sql.query<Row>(
    `select k.id, k.scopes, k.expires_at, k.revoked_at is not null as revoked, k.reads_per_minute,
       k.writes_per_minute, o.id as organization_id, o.name, o.enabled
     from api_keys k join organizations o on o.id = k.organization_id where k.hash = $1`,
    [hash],
  );
  return row
    ? {
        keyId: row.id,
        organization: { id: row.organization_id, name: row.name, enabled: row.enabled },
        scopes: new Set(row.scopes.filter(isScope)),
        limits: { reads: row.reads_per_minute, writes: row.writes_per_minute },
        expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
        revoked: row.revoked,
      }
    : null;
};
