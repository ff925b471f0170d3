import { type EntityManager, LockMode } from '@mikro-orm/core';
import { type Database, uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { ApiKeyEntity, type ApiKeyRecord } from '../schema/api-key.ts';
import { OrganizationEntity } from '../schema/organization.ts';
import { requireCidrs } from './allowed-cidrs.ts';
import { type Environment, hashApiKey, newApiKey } from './api-key.ts';
import { notFound, requireId } from './require-id.ts';
import { isScope, scopes } from './scopes.ts';

const overlapDefaultSeconds = 24 * 3600;
const overlapMaxSeconds = 7 * 24 * 3600;
const expiryMaxSeconds = 10 * 366 * 24 * 3600;
const limitMax = 1_000_000;
const nameMax = 100;

const iso = (date: Date | null | undefined): string => date?.toISOString() ?? '';

const shape = (record: ApiKeyRecord) => ({
  id: record.id,
  organizationId: record.organizationId,
  last4: record.last4,
  scopes: [...record.scopes],
  createdAt: iso(record.createdAt),
  expiresAt: iso(record.expiresAt),
  revokedAt: iso(record.revokedAt),
  lastUsedAt: iso(record.lastUsedAt),
  readsPerMinute: record.readsPerMinute ?? 0,
  writesPerMinute: record.writesPerMinute ?? 0,
  name: record.name ?? '',
  allowedCidrs: [...(record.allowedCidrs ?? [])],
});

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

/**
 * Trims a key's name.
 * @returns null for an empty name.
 * @throws Failure VALIDATION for a name that is too long or has control characters
 */
const requireName = (text: string): string | null => {
  const name = text.trim();
  if ([...name].length > nameMax || /\p{Cc}/u.test(name))
    throw invalid(['name'], `expected at most ${nameMax} printable characters`, text);
  return name === '' ? null : name;
};

const cidrsOrNull = (texts: readonly string[]): string[] | null =>
  texts.length === 0 ? null : requireCidrs(texts);

/**
 * Reads a key and locks its row, so that two commands on one key run one after the other.
 * @throws Failure NOT_FOUND
 */
const locked = async (em: EntityManager, id: string): Promise<ApiKeyRecord> => {
  const found = await em.findOne(ApiKeyEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!found) throw notFound('api key');
  return found;
};

/**
 * Issues and changes API keys for operators (decision 20). Only the AccessService of the operator
 * gateway calls it: no route of the partners' API manages keys.
 * @param changed called with a key's id after a commit that changes the key.
 */
export const apiKeys = (
  db: Database,
  environment: Environment,
  changed: (keyId: string) => void,
) => {
  const make = (from: Omit<ApiKeyRecord, 'id' | 'hash' | 'last4' | 'createdAt'>) => {
    const secret = newApiKey(environment);
    const record = {
      ...from,
      id: uuidv7(),
      hash: hashApiKey(secret),
      last4: secret.slice(-4),
      createdAt: new Date(),
    };
    return { secret, record };
  };
  const change = async (id: string, edit: (record: ApiKeyRecord) => void) => {
    requireId(id, 'api key');
    const record = await db.transaction(async ({ em }) => {
      const found = await locked(em, id);
      edit(found);
      return found;
    });
    changed(id);
    return shape(record);
  };

  return {
    issue: async (request: {
      organizationId: string;
      scopes: readonly string[];
      expiresInSeconds: number;
      readsPerMinute: number;
      writesPerMinute: number;
      name?: string;
      allowedCidrs?: readonly string[];
    }) => {
      const organizationId = requireId(request.organizationId, 'organization');
      if (request.expiresInSeconds > expiryMaxSeconds)
        throw invalid(['expires_in'], 'at most ten years', request.expiresInSeconds);
      const expires = request.expiresInSeconds * 1000;
      const { secret, record } = make({
        organizationId,
        scopes: requireScopes(request.scopes),
        expiresAt: expires === 0 ? null : new Date(Date.now() + expires),
        revokedAt: null,
        lastUsedAt: null,
        replacedBy: null,
        readsPerMinute: requireLimit(request.readsPerMinute, 'reads'),
        writesPerMinute: requireLimit(request.writesPerMinute, 'writes'),
        name: requireName(request.name ?? ''),
        allowedCidrs: cidrsOrNull(request.allowedCidrs ?? []),
      });
      await db.transaction(async ({ em }) => {
        if (!(await em.findOne(OrganizationEntity, { id: organizationId })))
          throw notFound('organization');
        em.create(ApiKeyEntity, record, { persist: true });
      });
      return { secret, key: shape(record as ApiKeyRecord) };
    },
    list: async (organizationId: string) => {
      requireId(organizationId, 'organization');
      const found = await db.read((em) =>
        em.find(ApiKeyEntity, { organizationId }, { orderBy: { id: 'asc' } }),
      );
      return found.map(shape);
    },
    revoke: (id: string) =>
      change(id, (record) => {
        record.revokedAt ??= new Date();
      }),
    /** Replaces the list of allowed CIDRs. An empty list allows any address. */
    setAllowedCidrs: async (id: string, allowedCidrs: readonly string[]) => {
      const cidrs = cidrsOrNull(allowedCidrs);
      return change(id, (record) => {
        record.allowedCidrs = cidrs;
      });
    },
    setLimits: (id: string, limits: { reads?: number; writes?: number }) =>
      change(id, (record) => {
        const { reads, writes } = limits;
        if (reads !== undefined) record.readsPerMinute = requireLimit(reads, 'reads');
        if (writes !== undefined) record.writesPerMinute = requireLimit(writes, 'writes');
      }),
    /**
     * Issues a key with the old key's rights. The old key ends after the overlap, or at its own
     * expiry if that is earlier.
     * @throws Failure NOT_FOUND, or VALIDATION if the key has ended or was rotated before
     */
    rotate: async (id: string, overlapSeconds: number | undefined) => {
      requireId(id, 'api key');
      const overlap = overlapSeconds ?? overlapDefaultSeconds;
      if (overlap > overlapMaxSeconds) throw invalid(['overlap'], 'at most 7 days', overlap);
      const rotated = await db.transaction(async ({ em }) => {
        const old = await locked(em, id);
        if (old.replacedBy)
          throw invalid(['id'], `this key was rotated before; rotate ${old.replacedBy}`, id);
        if (old.revokedAt || (old.expiresAt && old.expiresAt.getTime() <= Date.now()))
          throw invalid(['id'], 'this key is revoked or expired; issue a new one', id);
        const { secret, record } = make({
          organizationId: old.organizationId,
          scopes: old.scopes,
          expiresAt: old.expiresAt ?? null,
          revokedAt: null,
          lastUsedAt: null,
          replacedBy: null,
          readsPerMinute: old.readsPerMinute ?? null,
          writesPerMinute: old.writesPerMinute ?? null,
          name: old.name ?? null,
          allowedCidrs: old.allowedCidrs ?? null,
        });
        em.create(ApiKeyEntity, record, { persist: true });
        old.replacedBy = record.id;
        const end = Date.now() + overlap * 1000;
        old.expiresAt = new Date(Math.min(end, old.expiresAt?.getTime() ?? end));
        return { secret, key: shape(record as ApiKeyRecord), replaced: shape(old) };
      });
      changed(id);
      return rotated;
    },
  };
};
