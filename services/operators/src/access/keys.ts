import { type Environment, isScope, newApiKey, scopes } from '@pto/access';
import { clockTimestamp, type Database, execute } from '@pto/database';
import { invalid } from '@pto/errors';
import type { AccessService } from '@pto/proto/access/v1/access';
import type { Handlers } from '@pto/rpc';
import { found, requireId, requireName, shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import { requireCidrs } from './allowed-cidrs.ts';
import { requireOrganization } from './organizations.ts';
import { inSeconds, insertKey, keyColumns, lockKey, replaceKey, updateKey } from './replace-key.ts';

const overlapDefaultSeconds = 24 * 3600;
const expiryMaxSeconds = 10 * 366 * 24 * 3600;
const limitMax = 1_000_000;
const nameMax = 100;

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

/**
 * Serves the RPCs with which operators issue and change API keys (decision 20). Partners rotate
 * keys by `ownKeys`.
 * @param changed called after a commit that changes a key.
 */
export const apiKeys = (db: Database, environment: Environment, changed: () => void) => {
  const change = async (statement: ReturnType<typeof updateKey>) => {
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
      return insertKey(db, row, newApiKey(environment));
    },
    listKeys: async ({ organizationId }) => {
      const statement = tables
        .selectFrom('api_keys')
        .select(keyColumns)
        .where('organization_id', '=', requireId(organizationId, 'organization'))
        .orderBy('id');
      return { keys: (await execute(db, statement)).map(shown) };
    },
    revokeKey: async ({ id }) =>
      change(
        updateKey(id).set(({ fn }) => ({ revoked_at: fn.coalesce('revoked_at', clockTimestamp) })),
      ),
    /** Replaces the list of allowed CIDRs. An empty list allows any address. */
    setKeyAllowedCidrs: async ({ id, allowedCidrs }) =>
      change(updateKey(id).set({ allowed_cidrs: cidrsOrNull(allowedCidrs) })),
    /** Sets limits per minute. Undefined leaves a limit as it is; 0 is the gateway's own limit. */
    setKeyLimits: async ({ id, readsPerMinute: reads, writesPerMinute: writes }) =>
      change(
        updateKey(id).set(({ ref }) => ({
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
      const rotated = await db.transaction(async (tx) => {
        const old = await lockKey(tx, id);
        if (old.replaced_by)
          throw invalid(['id'], `this key was rotated before; rotate ${old.replaced_by}`, id);
        if (old.ended) throw invalid(['id'], 'this key is revoked or expired; issue a new one', id);
        return replaceKey(tx, old, overlapSeconds, newApiKey(environment));
      });
      changed();
      return rotated;
    },
  } satisfies Partial<Handlers<typeof AccessService>>;
};
