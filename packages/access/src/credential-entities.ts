import { defineEntity, p } from '@mikro-orm/core';

/** The sides of an order for which a link shows it (decision 86). */
export const orderSides = ['pickup', 'dropoff'] as const;
export type OrderSide = (typeof orderSides)[number];

/** An organization that uses the API. */
export const OrganizationEntity = defineEntity({
  name: 'Organization',
  tableName: 'organizations',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    enabled: p.boolean(),
    admins: p.array(),
    createdAt: p.datetime().defaultRaw('now()'),
    cell: p.text().default('main'),
    isMoving: p.boolean().default(false),
  },
});

/** An API key. The key itself is not stored; `hash` is its SHA-256 (decision 16). */
export const ApiKeyEntity = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    hash: p.blob(),
    last4: p.text(),
    scopes: p.array(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    replacedBy: p.uuid().nullable(),
    readsPerMinute: p.integer().nullable(),
    writesPerMinute: p.integer().nullable(),
    name: p.text().nullable(),
    allowedCidrs: p.array().nullable(),
  },
});

/**
 * A link to the portal, and the session that it opened (decision 69). `hash` is the SHA-256 of the
 * session's secret, null before the link is opened.
 */
export const PortalSessionEntity = defineEntity({
  name: 'PortalSession',
  tableName: 'portal_sessions',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    parentId: p.uuid().nullable(),
    codeHash: p.blob(),
    hash: p.blob().nullable(),
    scopes: p.array(),
    readOnly: p.boolean(),
    endpointId: p.uuid().nullable(),
    createdAt: p.datetime().defaultRaw('clock_timestamp()'),
    opensUntil: p.datetime(),
    openedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    expiresAt: p.datetime(),
  },
});

/**
 * A link that shows one order for one side (decision 86). `hash` is the SHA-256 of its secret, a key
 * that permits nothing else.
 */
export const OrderLinkEntity = defineEntity({
  name: 'OrderLink',
  tableName: 'order_links',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    orderId: p.uuid(),
    side: p.text().$type<OrderSide>(),
    parentId: p.uuid().nullable(),
    hash: p.blob(),
    createdAt: p.datetime().defaultRaw('clock_timestamp()'),
    expiresAt: p.datetime(),
    views: p.integer().default(0),
    lastViewedAt: p.datetime().nullable(),
  },
});

/**
 * The view of keys, of the portal's sessions, which are derived from keys (decision 69), and of links
 * for one order, which have no scope.
 */
export const CredentialEntity = defineEntity({
  name: 'Credential',
  tableName: 'credentials',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    hash: p.blob(),
    scopes: p.array(),
    expiresAt: p.datetime().nullable(),
    revoked: p.boolean(),
    readsPerMinute: p.integer().nullable(),
    writesPerMinute: p.integer().nullable(),
    allowedCidrs: p.array().nullable(),
    isSession: p.boolean(),
    parentId: p.uuid().nullable(),
    readOnly: p.boolean(),
    endpointId: p.uuid().nullable(),
    orderId: p.uuid().nullable(),
    side: p.text().$type<OrderSide>().nullable(),
  },
});
