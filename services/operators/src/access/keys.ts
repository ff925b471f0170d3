import { type Environment, hashSecret, isScope, newApiKey, scopes } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, type Sql, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import type { AccessService } from '@pto/proto/access/v1/access';
import type { Handlers } from '@pto/rpc';
import { found, requireId, requireName, shown } from '../fields.ts';
import { type Rows, tables } from '../schema/tables.ts';
import { requireCidrs } from './allowed-cidrs.ts';
import { requireOrganization } from './organizations.ts';

const overlapDefaultSeconds = 24 * 3600;
const overlapMaxSeconds = 7 * 24 * 3600;
const expiryMaxSeconds = 10 * 366 * 24 * 3600;
const limitMax = 1_000_000;
const nameMax = 100;

/** What operators see of a key: not its hash. */
const columns = [
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

const requireScopes = (names: readonly string[]): string[] => {
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined || names.length === 0)
    throw invalid(['scopes'], `expected some of ${scopes.join(', ')}`, unknown);
  return scopes.filter((scope) => names.includes(scope));
};

const requireLimit = (limit: number, field: string): number | null => {
  if (limit > limitMax) throw invalid([field], `at most ${limitMax}`, limit);
  return limit === 0 ? null : limit;
};

const cidrsOrNull = (texts: readonly string[]): string[] | null =>
  texts.length === 0 ? null : requireCidrs(texts);

const inSeconds = (seconds: number) =>
  fragment<string>`clock_timestamp() + ${seconds} * interval '1 s'`;

/**
 * Serves the RPCs with which operators issue and change API keys (decision 20). No route of the partners' API manages
 * keys.
 * @param changed called after a commit that changes a key.
 */
export const apiKeys = (db: Database, environment: Environment, changed: () => void) => {
  const insert = async (
    sql: Sql,
    row: Pick<
      Rows['api_keys'],
      'organization_id' | 'scopes' | 'reads_per_minute' | 'writes_per_minute'
    > &
      Pick<Rows['api_keys'], 'name' | 'allowed_cidrs'> & {
        readonly expires_at: ReturnType<typeof inSeconds> | string | null;
      },
  ) => {
    const secret = newApiKey(environment);
    const own = { id: uuidv7(), hash: hashSecret(secret), last4: secret.slice(-4) };
    const statement = tables.insertInto('api_keys').values({ ...row, ...own });
    const [inserted] = await execute(sql, statement.returning(columns));
    return { secret, key: shown(inserted!) };
  };
  const update = (id: string) =>
    tables.updateTable('api_keys').where('id', '=', requireId(id, 'api key')).returning(columns);
  const change = async (statement: ReturnType<typeof update>) => {
    const row = found(await execute(db, statement), 'api key');
    changed();
    return { key: shown(row) };
  };

  return {
    issueKey: async (request) => {
      const expiresInSeconds = Number(request.expiresInSeconds);
      const organizationId = requireId(request.organizationId, 'organization');
      if (expiresInSeconds > expiryMaxSeconds)
        throw invalid(['expires_in'], 'at most ten years', expiresInSeconds);
      const row = {
        organization_id: organizationId,
        scopes: requireScopes(request.scopes),
        expires_at: expiresInSeconds === 0 ? null : inSeconds(expiresInSeconds),
        reads_per_minute: requireLimit(request.readsPerMinute, 'reads'),
        writes_per_minute: requireLimit(request.writesPerMinute, 'writes'),
        name: requireName(request.name, { min: 0, max: nameMax }) || null,
        allowed_cidrs: cidrsOrNull(request.allowedCidrs),
      };
      await requireOrganization(db, organizationId);
      return insert(db, row);
    },
    listKeys: async ({ organizationId }) => {
      const statement = tables
        .selectFrom('api_keys')
        .select(columns)
        .where('organization_id', '=', requireId(organizationId, 'organization'))
        .orderBy('id');
      return { keys: (await execute(db, statement)).map(shown) };
    },
    revokeKey: async ({ id }) =>
      change(
        update(id).set(({ fn }) => ({ revoked_at: fn.coalesce('revoked_at', clockTimestamp) })),
      ),
    /** Replaces the list of allowed CIDRs. An empty list allows any address. */
    setKeyAllowedCidrs: async ({ id, allowedCidrs }) =>
      change(update(id).set({ allowed_cidrs: cidrsOrNull(allowedCidrs) })),
    /** Sets limits per minute. Undefined leaves a limit as it is; 0 is the gateway's own limit. */
    setKeyLimits: async ({ id, readsPerMinute: reads, writesPerMinute: writes }) =>
      change(
        update(id).set(({ ref }) => ({
          reads_per_minute:
            reads === undefined ? ref('reads_per_minute') : requireLimit(reads, 'reads'),
          writes_per_minute:
            writes === undefined ? ref('writes_per_minute') : requireLimit(writes, 'writes'),
        })),
      ),
    /**
     * Issues a key with the old key's rights. The old key ends after the overlap, or at its own
     * expiry if that is earlier.
     * @throws Failure NOT_FOUND, or VALIDATION if the overlap exceeds 7 days, or the key has ended
     *   or was rotated before
     */
    rotateKey: async ({ id, overlapSeconds = overlapDefaultSeconds }) => {
      if (overlapSeconds > overlapMaxSeconds)
        throw invalid(['overlap'], 'at most 7 days', overlapSeconds);
      const locked = tables
        .selectFrom('api_keys')
        .select(['organization_id', 'scopes', 'expires_at', 'reads_per_minute'])
        .select(['writes_per_minute', 'name', 'allowed_cidrs', 'replaced_by'])
        .select(({ eb, or }) =>
          or([eb('revoked_at', 'is not', null), eb('expires_at', '<=', clockTimestamp)])
            .$castTo<boolean | null>()
            .as('ended'),
        )
        .where('id', '=', requireId(id, 'api key'))
        .forUpdate();
      const rotated = await db.transaction(async (tx) => {
        const { replaced_by, ended, ...old } = found(await execute(tx, locked), 'api key');
        if (replaced_by)
          throw invalid(['id'], `this key was rotated before; rotate ${replaced_by}`, id);
        if (ended) throw invalid(['id'], 'this key is revoked or expired; issue a new one', id);
        const issued = await insert(tx, old);
        const [replaced] = await execute(
          tx,
          update(id).set(({ fn }) => ({
            replaced_by: issued.key.id,
            expires_at: fn<string>('least', ['expires_at', inSeconds(overlapSeconds)]),
          })),
        );
        return { ...issued, replaced: shown(replaced!) };
      });
      changed();
      return rotated;
    },
  } satisfies Partial<Handlers<typeof AccessService>>;
};
