import { type EntityManager, LockMode } from '@mikro-orm/core';
import type { Database } from '@pto/database';
import { invalid } from '@pto/errors';
import { ApiKeyEntity, type ApiKeyRecord } from '../schema/api-key.ts';
import { OrganizationEntity } from '../schema/organization.ts';
import type { Environment } from './api-key.ts';
import {
  cidrsOrNull,
  expiryMaxSeconds,
  keyNameOrNull,
  overlapDefaultSeconds,
  overlapMaxSeconds,
  requireLimit,
  requireScopes,
} from './key-fields.ts';
import { keyShape, newKey } from './key-record.ts';
import { notFound, requireId } from './require-id.ts';

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
  const change = async (id: string, edit: (record: ApiKeyRecord) => void) => {
    requireId(id, 'api key');
    const record = await db.transaction(async ({ em }) => {
      const found = await locked(em, id);
      edit(found);
      return found;
    });
    changed(id);
    return keyShape(record);
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
      const { secret, record } = newKey(environment, {
        organizationId,
        scopes: requireScopes(request.scopes),
        expiresAt: expires === 0 ? null : new Date(Date.now() + expires),
        revokedAt: null,
        lastUsedAt: null,
        replacedBy: null,
        readsPerMinute: requireLimit(request.readsPerMinute, 'reads'),
        writesPerMinute: requireLimit(request.writesPerMinute, 'writes'),
        name: keyNameOrNull(request.name ?? ''),
        allowedCidrs: cidrsOrNull(request.allowedCidrs ?? []),
      });
      await db.transaction(async ({ em }) => {
        if (!(await em.findOne(OrganizationEntity, { id: organizationId })))
          throw notFound('organization');
        em.create(ApiKeyEntity, record, { persist: true });
      });
      return { secret, key: keyShape(record as ApiKeyRecord) };
    },
    list: async (organizationId: string) => {
      requireId(organizationId, 'organization');
      const found = await db.read((em) =>
        em.find(ApiKeyEntity, { organizationId }, { orderBy: { id: 'asc' } }),
      );
      return found.map(keyShape);
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
     * @throws Failure NOT_FOUND, or VALIDATION if the overlap exceeds 7 days, or the key has ended
     *   or was rotated before
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
        const { secret, record } = newKey(environment, {
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
        return { secret, key: keyShape(record as ApiKeyRecord), replaced: keyShape(old) };
      });
      changed(id);
      return rotated;
    },
  };
};
