import { type Database, type Sql, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { hashSecret } from '../access/checked-secret.ts';
import { notFound, requireId } from '../access/require-id.ts';
import { isRole, requireRoles } from './roles.ts';
import { newToken } from './token-form.ts';

const pageSize = 100;
const expiryMinSeconds = 60;
const expiryMaxSeconds = 366 * 24 * 3600;

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly last4: string;
  readonly created_at: Date | string;
  readonly created_by: string;
  readonly expires_at: Date | string;
  readonly last_used_at: Date | string | null;
  readonly revoked_at: Date | string | null;
  readonly revoked_by: string | null;
}

const columns = `id, name, roles, last4, created_at, created_by, expires_at, last_used_at, revoked_at,
  revoked_by`;

const iso = (at: Date | string | null): string => (at === null ? '' : new Date(at).toISOString());

const shape = (row: TokenRow) => ({
  id: row.id,
  name: row.name,
  roles: [...row.roles],
  last4: row.last4,
  createdAt: iso(row.created_at),
  createdBy: row.created_by,
  expiresAt: iso(row.expires_at),
  lastUsedAt: iso(row.last_used_at),
  revokedAt: iso(row.revoked_at),
  revokedBy: row.revoked_by ?? '',
});

export interface NewToken {
  readonly name: string;
  readonly roles: readonly string[];
  readonly expiresInSeconds: number;
  /** The issuer's name. */
  readonly by: string;
}

/** Issues a personal token. @returns its row and the secret, which is stored as a hash only. */
export const issueToken = async (sql: Sql, request: NewToken) => {
  const name = request.name.trim();
  if (!/^[^\p{C}]{1,100}$/u.test(name))
    throw invalid(['name'], 'expected 1 to 100 printable characters', request.name);
  const roles = requireRoles(request.roles);
  const { expiresInSeconds } = request;
  if (!(expiresInSeconds >= expiryMinSeconds && expiresInSeconds <= expiryMaxSeconds))
    throw invalid(['expires_in'], 'expected 60s to 366d', expiresInSeconds);
  const secret = newToken();
  const [row] = await sql.query<TokenRow>(
    `insert into operator_tokens (id, name, hash, last4, roles, created_by, expires_at)
     values ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 s')
     returning ${columns}`,
    [uuidv7(), name, hashSecret(secret), secret.slice(-4), roles, request.by, expiresInSeconds],
  );
  return { secret, token: shape(row!) };
};

/** Personal tokens of operators (decision 59). Each look-up reads the database: nothing is cached. */
export const operatorTokens = (db: Database) => ({
  issue: (request: NewToken) => issueToken(db, request),
  list: async (afterId: string) => {
    const after = afterId === '' ? null : requireId(afterId, 'token');
    const rows = await db.query<TokenRow>(
      `select ${columns} from operator_tokens where $1::uuid is null or id > $1
       order by id limit ${pageSize}`,
      [after],
    );
    return { tokens: rows.map(shape), nextId: rows.length === pageSize ? rows.at(-1)!.id : '' };
  },
  revoke: async (id: string, by: string) => {
    requireId(id, 'token');
    const [row] = await db.query<TokenRow>(
      `update operator_tokens set revoked_at = coalesce(revoked_at, clock_timestamp()),
         revoked_by = coalesce(revoked_by, $2)
       where id = $1 returning ${columns}`,
      [id, by],
    );
    if (!row) throw notFound('token');
    return shape(row);
  },
  /** The token of a secret, or null. Notes its use, at most once a minute. */
  find: async (secret: string) => {
    const [row] = await db.query<TokenRow & { ended: boolean; stale: boolean }>(
      `select ${columns}, expires_at <= clock_timestamp() as ended,
         coalesce(last_used_at < clock_timestamp() - interval '1 minute', true) as stale
       from operator_tokens where hash = $1`,
      [hashSecret(secret)],
    );
    if (!row) return null;
    if (row.stale && !row.ended && row.revoked_at === null)
      await db.query(
        `update operator_tokens set last_used_at = date_trunc('minute', clock_timestamp())
         where id = $1`,
        [row.id],
      );
    return {
      id: row.id,
      name: row.name,
      roles: row.roles.filter(isRole),
      expiresAt: new Date(row.expires_at),
      ended: row.ended,
      revoked: row.revoked_at !== null,
    };
  },
});
