import { defineEntity, p } from '@mikro-orm/core';
import {
  ApiKeyEntity,
  CredentialEntity,
  OrderLinkEntity,
  OrganizationEntity,
  PortalSessionEntity,
  RequestEntity,
} from '@pto/access';
import { type RowsOf, tablesOf } from '@pto/database';

/** An operator's personal token. `hash` is its SHA-256; `last_used_at` is precise to the minute. */
const OperatorToken = defineEntity({
  name: 'OperatorToken',
  tableName: 'operator_tokens',
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    hash: p.blob(),
    last4: p.text(),
    roles: p.array(),
    createdAt: p.datetime().defaultRaw('clock_timestamp()'),
    createdBy: p.text(),
    expiresAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    revokedBy: p.text().nullable(),
    carrierId: p.uuid().nullable(),
  },
});

/** A person who signed in with OpenID Connect. `last_seen_at` is precise to the minute. */
const Operator = defineEntity({
  name: 'Operator',
  tableName: 'operators',
  properties: {
    id: p.uuid().primary(),
    issuer: p.text(),
    subject: p.text(),
    name: p.text(),
    roles: p.array(),
    firstSeenAt: p.datetime().defaultRaw('clock_timestamp()'),
    lastSeenAt: p.datetime().defaultRaw('clock_timestamp()'),
    blockedAt: p.datetime().nullable(),
    blockedBy: p.text().nullable(),
  },
});

/** The credentials with which a person signs in to the console. */
export type SignInCredential = 'token' | 'oidc';

/**
 * An operator's session of the console. `hash` is the SHA-256 of its secret; `last_used_at` is
 * precise to the minute.
 */
const OperatorSession = defineEntity({
  name: 'OperatorSession',
  tableName: 'operator_sessions',
  properties: {
    id: p.uuid().primary(),
    hash: p.blob(),
    operatorId: p.uuid(),
    operatorName: p.text(),
    roles: p.array(),
    credential: p.text().$type<SignInCredential>(),
    carrierId: p.uuid().nullable(),
    startedAt: p.datetime().defaultRaw('clock_timestamp()'),
    lastUsedAt: p.datetime().defaultRaw('clock_timestamp()'),
    expiresAt: p.datetime(),
  },
});

/** A sign-in with OpenID that has started a session. `hash` is the SHA-256 of what names it. */
const OperatorSignIn = defineEntity({
  name: 'OperatorSignIn',
  tableName: 'operator_sign_ins',
  properties: {
    hash: p.blob().primary(),
    endsAt: p.datetime(),
  },
});

/**
 * One action of an operator (decision 59). The pages of one read are one row: a page whose
 * `fold_key` exists adds no row.
 */
const OperatorAction = defineEntity({
  name: 'OperatorAction',
  tableName: 'operator_actions',
  properties: {
    id: p.uuid().primary(),
    at: p.datetime().defaultRaw('clock_timestamp()'),
    operatorId: p.uuid(),
    operatorName: p.text(),
    roles: p.array(),
    credential: p.text().$type<'token' | 'oidc' | 'owner' | 'device'>(),
    allowed: p.boolean(),
    rpc: p.text(),
    target: p.text(),
    request: p.text(),
    requestId: p.text(),
    clientAddress: p.text(),
    foldKey: p.blob().nullable(),
  },
});

/**
 * One outcome of an operator's action: `ok` or the kind of failure, with its time and duration. The
 * pages of one read share a row for the same outcome.
 */
const OperatorOutcome = defineEntity({
  name: 'OperatorOutcome',
  tableName: 'operator_outcomes',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    actionId: p.uuid(),
    at: p.datetime().defaultRaw('clock_timestamp()'),
    outcome: p.text(),
    durationMs: p.integer(),
    createdId: p.text().nullable(),
  },
});

/** A move of an organization between cells; `marks` is JSON. */
const OrganizationMove = defineEntity({
  name: 'OrganizationMove',
  tableName: 'organization_moves',
  properties: {
    id: p.uuid().primary(),
    organizationId: p.uuid(),
    source: p.text(),
    target: p.text(),
    phase: p.text().$type<Phase>(),
    startedBy: p.text(),
    startedAt: p.datetime().defaultRaw('clock_timestamp()'),
    copies: p.integer().default(0),
    copiedRows: p.bigint('string').defaultRaw('0'),
    marks: p.text().default('{}'),
    tries: p.integer().default(0),
    heldMs: p.integer().nullable(),
    waitsFor: p.text().nullable(),
    failure: p.text().nullable(),
    cancelRequested: p.boolean().default(false),
    token: p.bigint('string').defaultRaw('0'),
    nextTryAt: p.datetime().defaultRaw("'-infinity'"),
    switchedAt: p.datetime().nullable(),
    endedAt: p.datetime().nullable(),
  },
});

/** A carrier or a driver. The name is unique among active ones, of drivers within their carrier. */
const recordOf = {
  id: p.uuid().primary(),
  name: p.text(),
  telephone: p.text(),
  active: p.boolean().default(true),
};
const Carrier = defineEntity({ name: 'Carrier', tableName: 'carriers', properties: recordOf });
const Driver = defineEntity({
  name: 'Driver',
  tableName: 'drivers',
  properties: { ...recordOf, carrierId: p.uuid() },
});

/** A driver's phone: its public key in base64url, bound to the driver (decision 85). */
const DriverDevice = defineEntity({
  name: 'DriverDevice',
  tableName: 'driver_devices',
  properties: {
    id: p.uuid().primary(),
    driverId: p.uuid(),
    key: p.text(),
    boundAt: p.datetime().defaultRaw('clock_timestamp()'),
    revokedAt: p.datetime().nullable(),
    revokedFrom: p.datetime().nullable(),
  },
});

/**
 * A link of a driver, and the session of one device that it opens. The hashes are SHA-256 of the
 * link's code and of the session's secret.
 */
const DriverSession = defineEntity({
  name: 'DriverSession',
  tableName: 'driver_sessions',
  properties: {
    id: p.uuid().primary(),
    driverId: p.uuid(),
    deviceId: p.uuid().nullable(),
    codeHash: p.blob(),
    hash: p.blob().nullable(),
    opensUntil: p.datetime(),
    openedAt: p.datetime().nullable(),
    expiresAt: p.datetime(),
  },
});

/**
 * Phases of a move. COPYING: the target gets rows while the source serves. HOLDING: deliveries, then
 * changes wait for the last copies. SWITCHED: the target serves. RETIRING: the source deletes its
 * rows. CANCELLING: the target deletes its rows. MOVED and CANCELLED: the move has ended.
 */
export type Phase =
  | 'COPYING'
  | 'HOLDING'
  | 'SWITCHED'
  | 'RETIRING'
  | 'CANCELLING'
  | 'MOVED'
  | 'CANCELLED';

/** A rotation by a partner with an idempotency key (own-keys.ts). */
const KeyRotation = defineEntity({
  name: 'KeyRotation',
  tableName: 'key_rotations',
  properties: {
    organizationId: p.uuid().primary(),
    idempotencyKey: p.text().primary(),
    bodySha256: p.blob(),
    replacedId: p.uuid(),
    issuedId: p.uuid(),
    seed: p.blob(),
    rotatedAt: p.datetime().defaultRaw('clock_timestamp()'),
  },
});

/** All tables of the database (test/drift.test.ts). */
export const entities = [
  OrganizationEntity,
  ApiKeyEntity,
  OperatorToken,
  Operator,
  OperatorSession,
  OperatorSignIn,
  OperatorAction,
  OperatorOutcome,
  OrganizationMove,
  Carrier,
  Driver,
  DriverDevice,
  DriverSession,
  PortalSessionEntity,
  OrderLinkEntity,
  KeyRotation,
  RequestEntity,
] as const;

/** Builds statements over the tables and the view. `execute` of @pto/database runs them. */
export const tables = tablesOf([...entities, CredentialEntity]);

/** Row types of the tables. */
export type Rows = RowsOf<typeof tables>;
