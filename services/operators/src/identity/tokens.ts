import { hashSecret, isCheckedSecret, newCheckedSecret } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, type Sql, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { findRecord } from '../carriers/fill-record.ts';
import { found, nextIdOf, pageSize, requireId, requireName, shown, startOf } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import { isRole, requireRoles } from './operator.ts';

/** The form of a personal token (decision 59): a checked secret with its own prefix. */
const prefix = 'opt_';

export const newToken = (): string => newCheckedSecret(prefix);
/** Returns whether the text has the prefix of a personal token, misspelled or not. */
export const looksLikeToken = (text: string): boolean => text.startsWith(prefix);
export const isToken = (text: string): boolean => isCheckedSecret(prefix, text);

const nameMax = 100;
const expiryMinSeconds = 60;
const expiryMaxSeconds = 366 * 24 * 3600;

const columns = [
  'id',
  'name',
  'roles',
  'last4',
  'created_at',
  'created_by',
  'expires_at',
  'last_used_at',
  'revoked_at',
  'revoked_by',
  'carrier_id',
] as const;

export interface NewToken {
  readonly name: string;
  readonly roles: readonly string[];
  readonly expiresInSeconds: number;
  /** Id of the carrier, for the role `carrier`; empty: none. */
  readonly carrierId: string;
  /** Name of the issuing operator. */
  readonly by: string;
}

/**
 * Issues a personal token; only the hash of its secret is stored.
 * @returns the secret, and the token's row.
 * @throws Failure VALIDATION for the name, the roles, the carrier or the expiry (60 s to 366 days).
 */
export const issueToken = async (sql: Sql, request: NewToken) => {
  const name = requireName(request.name, { min: 1, max: nameMax });
  const roles = requireRoles(request.roles);
  const { expiresInSeconds } = request;
  if (!(expiresInSeconds >= expiryMinSeconds && expiresInSeconds <= expiryMaxSeconds))
    throw invalid(['expires_in'], 'expected 60s to 366d', expiresInSeconds);
  const carrierId = await requireCarrier(sql, roles, request.carrierId);
  const secret = newToken();
  const [row] = await execute(
    sql,
    tables
      .insertInto('operator_tokens')
      .values({
        id: uuidv7(),
        name,
        hash: hashSecret(secret),
        last4: secret.slice(-4),
        roles,
        created_by: request.by,
        carrier_id: carrierId,
        expires_at: fragment<string>`clock_timestamp() + ${expiresInSeconds} * interval '1 s'`,
      })
      .returning(columns),
  );
  return { secret, token: shown(row!) };
};

/** Returns the carrier that goes with the role; null: the role is another. @throws Failure VALIDATION */
const requireCarrier = async (
  sql: Sql,
  roles: readonly string[],
  id: string,
): Promise<string | null> => {
  if (roles.includes('carrier') !== (id !== ''))
    throw invalid(
      ['carrier_id'],
      'the role carrier goes with a carrier, and no other role does',
      id,
    );
  if (id === '') return null;
  const carrier = await findRecord(sql, 'carrier', requireId(id, 'carrier'));
  if (!carrier?.active) throw invalid(['carrier_id'], 'no active carrier has this id', id);
  return id;
};

const find = (secret: string) =>
  tables
    .selectFrom('operator_tokens')
    .select(columns)
    .select((eb) => [
      eb('expires_at', '<=', clockTimestamp).$castTo<boolean>().as('ended'),
      eb
        .or([
          eb('last_used_at', 'is', null),
          eb('last_used_at', '<', fragment<string>`clock_timestamp() - interval '1 minute'`),
        ])
        .$castTo<boolean>()
        .as('stale'),
    ])
    .where('hash', '=', hashSecret(secret));

const noteUse = (id: string) =>
  tables
    .updateTable('operator_tokens')
    .set({ last_used_at: fragment<string>`date_trunc('minute', clock_timestamp())` })
    .where('id', '=', id);

/**
 * Issues, lists and revokes personal tokens of operators (decision 59). Each look-up reads the
 * database: nothing is cached.
 */
export const operatorTokens = (db: Database) => ({
  issue: (request: NewToken) => issueToken(db, request),
  list: async (afterId: string) => {
    const page = tables
      .selectFrom('operator_tokens')
      .select(columns)
      .where('id', '>', startOf(afterId, 'token'))
      .orderBy('id')
      .limit(pageSize);
    const rows = await execute(db, page);
    return { tokens: rows.map(shown), nextId: nextIdOf(rows) };
  },
  revoke: async (id: string, by: string) => {
    const statement = tables
      .updateTable('operator_tokens')
      .set(({ fn, val }) => ({
        revoked_at: fn.coalesce('revoked_at', clockTimestamp),
        revoked_by: fn.coalesce('revoked_by', val(by)),
      }))
      .where('id', '=', requireId(id, 'token'))
      .returning(columns);
    return shown(found(await execute(db, statement), 'token'));
  },
  /**
   * Returns the token with this secret, or null. Records the use of a valid token, at most once a
   * minute.
   */
  find: async (secret: string) => {
    const [row] = await execute(db, find(secret));
    if (!row) return null;
    if (row.stale && !row.ended && row.revoked_at === null) await execute(db, noteUse(row.id));
    return {
      id: row.id,
      name: row.name,
      roles: row.roles.filter(isRole),
      expiresAt: new Date(row.expires_at),
      ...(row.carrier_id !== null && { carrier: { carrierId: row.carrier_id } }),
      ended: row.ended,
      revoked: row.revoked_at !== null,
    };
  },
});
