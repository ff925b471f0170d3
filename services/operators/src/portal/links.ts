import { hashSecret, isScope, newCheckedSecret, scopes } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, isUuid, uuidv7 } from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import type { PortalRights } from '@pto/proto/access/v1/portal';
import { requireOrganization } from '../access/organizations.ts';
import { found, nextIdOf, pageSize, requireId, shown, startOf } from '../fields.ts';
import { tables } from '../schema/tables.ts';

/** Prefix of a link's one-time code, a checked secret. */
export const codePrefix = 'ptl_';

/** Bounds of the time from a link's creation to the end of its session, in seconds. */
const [lastsMin, lastsMax] = [300, 12 * 3600];
/** A link can be opened for this long, and at most until its session would end. */
const opensMinutes = 60;

/** What partners and operators see of a link: neither hash. */
export const columns = [
  'id',
  'organization_id',
  'scopes',
  'read_only',
  'endpoint_id',
  'parent_id',
  'created_at',
  'opens_until',
  'opened_at',
  'last_used_at',
  'expires_at',
] as const;

/** Whether a link has the scope without naming it. A link without a key never rotates keys. */
const isImplied = (scope: string): boolean => scope !== 'keys:rotate';

/** Whose link it is. */
interface Parent {
  readonly organizationId: string;
  /** Null: a link without a key. */
  readonly keyId: string | null;
  readonly scopes: readonly string[];
}

const keyOf = async (db: Database, keyId: string): Promise<Parent> => {
  const key = tables
    .selectFrom('api_keys')
    .select(['organization_id as organizationId', 'id as keyId', 'scopes'])
    .where('id', '=', requireId(keyId, 'api key'))
    .where('revoked_at', 'is', null);
  return found(await execute(db, key), 'api key');
};

/**
 * Returns whose a link of an organization is.
 * @param keyId empty: the link has no key.
 * @throws Failure NOT_FOUND for a key that has ended, or is another organization's
 */
export const parentOf = async (
  db: Database,
  organizationId: string,
  keyId: string,
): Promise<Parent> => {
  const id = await requireOrganization(db, organizationId);
  if (keyId === '') return { organizationId: id, keyId: null, scopes: scopes.filter(isImplied) };
  const key = await keyOf(db, keyId);
  return found(key.organizationId === id ? [key] : [], 'api key');
};

/**
 * Returns the URL of a page of the portal with a secret behind `#`, which no server and no Referer gets.
 * @param portalUrl URL at which browsers open the portal; empty: the installation has none.
 * @throws Failure NOT_FOUND without a portal
 */
export const linkUrl = (portalUrl: string, path: string, secret: string): string => {
  if (portalUrl === '')
    throw new Failure('NOT_FOUND', 'This installation has no portal.', {
      details: { resource: 'portal' },
    });
  return `${portalUrl.replace(/\/+$/, '')}${path}#${secret}`;
};

/** Returns the time so many seconds from now, by the database's clock. */
export const secondsFromNow = (seconds: number) =>
  fragment<string>`clock_timestamp() + ${seconds} * interval '1 s'`;

const requireRights = (rights: PortalRights | undefined, parent: Parent) => {
  const { scopes: wanted = [], readOnly = false, endpointId = '', lastsSeconds = 0 } = rights ?? {};
  const excess = wanted.find((scope) => !isScope(scope) || !parent.scopes.includes(scope));
  if (excess !== undefined)
    throw invalid(['scopes'], `expected some of ${parent.scopes.join(', ')}`, excess);
  const granted = parent.scopes.filter((scope) =>
    wanted.length === 0 ? isImplied(scope) : wanted.includes(scope),
  );
  if (granted.length === 0)
    throw invalid(
      ['scopes'],
      `name some of ${parent.scopes.join(', ')}: none is given unasked`,
      [],
    );
  if (endpointId !== '' && !isUuid(endpointId))
    throw invalid(['endpoint_id'], 'expected a UUID', endpointId);
  if (endpointId !== '' && !granted.includes('webhooks:manage'))
    throw invalid(['scopes'], 'a link to one endpoint requires webhooks:manage', granted);
  if (lastsSeconds < lastsMin || lastsSeconds > lastsMax)
    throw invalid(['expires_in'], `expected ${lastsMin} to ${lastsMax} seconds`, lastsSeconds);
  return {
    // one endpoint's link has no use for other scopes
    scopes: endpointId === '' ? granted : ['webhooks:manage'],
    read_only: readOnly,
    endpoint_id: endpointId || null,
    lastsSeconds,
  };
};

/**
 * Creates, lists and ends links to the portal (decision 69). A row is a link, and its session once
 * it was opened; a row that is deleted has ended.
 * @param portalUrl URL at which browsers open the portal; empty: the installation has none.
 * @param changed called after the end of a session.
 */
export const portalLinks = (db: Database, portalUrl: string, changed: () => void) => {
  const create = async (parent: Parent, asked: PortalRights | undefined) => {
    const code = newCheckedSecret(codePrefix);
    const url = linkUrl(portalUrl, '/', code);
    const { lastsSeconds, ...rights } = requireRights(asked, parent);
    const [row] = await execute(
      db,
      tables
        .insertInto('portal_sessions')
        .values({
          ...rights,
          id: uuidv7(),
          organization_id: parent.organizationId,
          parent_id: parent.keyId,
          code_hash: hashSecret(code),
          opens_until: secondsFromNow(Math.min(lastsSeconds, opensMinutes * 60)),
          expires_at: secondsFromNow(lastsSeconds),
        })
        .returning(columns),
    );
    await execute(
      db,
      tables.deleteFrom('portal_sessions').where('expires_at', '<', clockTimestamp),
    );
    return { link: shown(row!), url };
  };
  const end = async (column: 'id' | 'parent_id', id: string) => {
    await execute(db, tables.deleteFrom('portal_sessions').where(column, '=', id));
    changed();
    return {};
  };
  return {
    /** @throws Failure VALIDATION, NOT_FOUND for a key that has ended, or without a portal */
    ofKey: async (keyId: string, rights: PortalRights | undefined) =>
      create(await keyOf(db, keyId), rights),
    /**
     * @param keyId empty: the link has no key.
     * @throws Failure as `ofKey`, and NOT_FOUND for a key of another organization
     */
    ofOrganization: async (
      organizationId: string,
      rights: PortalRights | undefined,
      keyId: string,
    ) => create(await parentOf(db, organizationId, keyId), rights),
    list: async (organizationId: string, afterId: string) => {
      const page = tables
        .selectFrom('portal_sessions')
        .select(columns)
        .where('organization_id', '=', requireId(organizationId, 'organization'))
        .where('id', '>', startOf(afterId, 'portal session'))
        .where('expires_at', '>', clockTimestamp)
        .orderBy('id')
        .limit(pageSize);
      const rows = await execute(db, page);
      return { sessions: rows.map(shown), nextId: nextIdOf(rows) };
    },
    end: (id: string) => end('id', requireId(id, 'portal session')),
    endOfKey: (keyId: string) => end('parent_id', requireId(keyId, 'api key')),
  };
};

export type PortalLinks = ReturnType<typeof portalLinks>;
