import { hashSecret } from '@pto/access';
import { clockTimestamp, execute, fragment, type Sql, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { found, requireId, shown } from '../fields.ts';
import { type Rows, tables } from '../schema/tables.ts';

const overlapMaxSeconds = 7 * 24 * 3600;

/** What operators see of a key: not its hash. */
export const keyColumns = [
  'id',
  'organization_id',
  'last4',
  'scopes',
  'created_at',
  'expires_at',
  'revoked_at',
  'last_used_at',
  'reads_per_minute',
  'writes_per_minute',
  'name',
  'allowed_cidrs',
] as const;

/** Returns the time so many seconds from now, by the database's clock. */
export const inSeconds = (seconds: number) =>
  fragment<string>`clock_timestamp() + ${seconds} * interval '1 s'`;

type NewKey = Pick<
  Rows['api_keys'],
  'organization_id' | 'scopes' | 'reads_per_minute' | 'writes_per_minute' | 'name' | 'allowed_cidrs'
> & { readonly expires_at: ReturnType<typeof inSeconds> | string | null };

/** Adds a key with this secret. */
export const insertKey = async (sql: Sql, row: NewKey, secret: string) => {
  const own = { id: uuidv7(), hash: hashSecret(secret), last4: secret.slice(-4) };
  const statement = tables.insertInto('api_keys').values({ ...row, ...own });
  const [inserted] = await execute(sql, statement.returning(keyColumns));
  return { secret, key: shown(inserted!) };
};

/** Updates a key. */
export const updateKey = (id: string) =>
  tables.updateTable('api_keys').where('id', '=', requireId(id, 'api key')).returning(keyColumns);

/** Reads a key and locks it until the end of the transaction. @throws Failure NOT_FOUND */
export const lockKey = async (tx: Sql, id: string) => {
  const locked = tables
    .selectFrom('api_keys')
    .select(['id', 'organization_id', 'scopes', 'expires_at', 'reads_per_minute'])
    .select(['writes_per_minute', 'name', 'allowed_cidrs', 'replaced_by'])
    .select(({ eb, or }) =>
      or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', clockTimestamp)])
        .$castTo<boolean | null>()
        .as('ended'),
    )
    .where('id', '=', requireId(id, 'api key'))
    .forUpdate();
  return found(await execute(tx, locked), 'api key');
};

/**
 * Adds a key with the rights of a locked one, which ends after the overlap, or at its own expiry if
 * that is earlier.
 * @throws Failure VALIDATION for an overlap of more than 7 days
 */
export const replaceKey = async (
  tx: Sql,
  { id, replaced_by: _, ended: __, ...old }: Awaited<ReturnType<typeof lockKey>>,
  overlapSeconds: number,
  secret: string,
) => {
  if (overlapSeconds > overlapMaxSeconds)
    throw invalid(['overlap'], 'at most 7 days', overlapSeconds);
  const issued = await insertKey(tx, old, secret);
  const [replaced] = await execute(
    tx,
    updateKey(id).set(({ fn }) => ({
      replaced_by: issued.key.id,
      expires_at: fn<string>('least', ['expires_at', inSeconds(overlapSeconds)]),
    })),
  );
  return { ...issued, replaced: shown(replaced!) };
};
