/**
 * Idempotency of POST /webhooks (docs/decisions/idempotent-endpoints.md). The transaction that
 * stores an endpoint stores its key, so a failed attempt leaves the key unused. The response is
 * stored after the handshake, without the secret, which is stored sealed and nowhere else.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { organizationSlots } from '@pto/concurrency';
import {
  clockTimestamp,
  execute,
  fragment,
  lockName,
  type Sql,
  type Transaction,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { type Endpoint, type EndpointKey, tables } from '../schema/entities.ts';
import { firstSecret } from '../secrets/endpoint-secrets.ts';
import { reserveMs } from './constant-time.ts';
import type { EndpointDeps } from './deps.ts';
import { withSecret } from './endpoint-message.ts';
import { findEndpoint } from './find-endpoint.ts';
import { spendProbe } from './probe-budget.ts';

/** An endpoint that is stored and whose first handshake has not ended. */
export interface Begun extends EndpointKey, Pick<Endpoint, 'url' | 'url_version' | 'status'> {
  readonly secret: string;
}

const pollMs = 100;

/**
 * One transaction of an organization at a time. The others would wait for its lock in the database,
 * each with a connection of the pool.
 */
const inTurn = organizationSlots(1);

/**
 * Begins the creation of an endpoint, one at a time for an organization. With an idempotency key,
 * `store` runs once for the key. If another request is running with this key, waits for its
 * response. If that request ended without a response, because its process or connection died,
 * continues with its endpoint: nobody has seen the secret.
 * @param store stores the endpoint, in a transaction.
 * @returns the endpoint, whose handshake the caller runs; or the stored response.
 * @throws Failure IDEMPOTENCY_KEY_REUSED; IDEMPOTENCY_IN_PROGRESS or DEADLINE_EXCEEDED shortly before
 *   the deadline.
 */
export const beginOnce = async (
  deps: EndpointDeps,
  organizationId: string,
  key: CreationKey | undefined,
  deadline: number,
  store: (tx: Transaction) => Promise<Begun>,
): Promise<Begun | { readonly replay: Uint8Array }> => {
  const { db, ring } = deps;
  const begin = async (tx: Transaction): Promise<Begun | KnownCreation> => {
    // until the end no other transaction adds an endpoint, or holds the organization for a move
    await lockName(tx, `endpoints of ${organizationId}`);
    const known = key && (await findCreation(tx, key));
    if (known?.isRunning || known?.response) return known;
    if (known) return resume(tx, deps, known, deadline);
    const stored = await store(tx);
    if (key) await addCreation(tx, key, stored.id, deadline - performance.now());
    return stored;
  };
  const beginInTurn = () => {
    const leftMs = Math.max(0, Math.ceil(deadline - reserveMs - performance.now()));
    return inTurn(organizationId, AbortSignal.timeout(leftMs), () => db.transaction(begin));
  };
  while (true) {
    const begun = await beginInTurn();
    if ('id' in begun) return begun;
    const { endpoint, response } = begun;
    if (response !== null)
      return { replay: withSecret(response, await firstSecret(db, ring, endpoint)) };
    if (deadline - reserveMs - performance.now() < pollMs)
      throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
        retryAfterSeconds: 1,
      });
    await sleep(pollMs);
  }
};

/** Continues a creation. Declares that this request will store the response. */
const resume = async (
  tx: Transaction,
  { ring, probesPerHostPerMinute }: EndpointDeps,
  { endpoint: key }: KnownCreation,
  deadline: number,
): Promise<Begun> => {
  const { url, url_version, status } = await findEndpoint(tx, key, 'no key update');
  await spendProbe(tx, probesPerHostPerMinute, { url, status });
  await execute(
    tx,
    tables
      .updateTable('endpoint_creations')
      .set({ finish_by: finishBy(deadline - performance.now()) })
      .where('organization_id', '=', key.organizationId)
      .where('endpoint_id', '=', key.id),
  );
  return { ...key, url, url_version, status, secret: await firstSecret(tx, ring, key) };
};

/** A partner's `Idempotency-Key`, and the SHA-256 of the request's body (decisions 22, 23). */
export interface CreationKey {
  readonly organizationId: string;
  readonly key: string;
  readonly bodySha256: Uint8Array;
}

/** The endpoint that was created under a key. */
interface KnownCreation {
  readonly endpoint: EndpointKey;
  /** The stored response without its secret; null before the handshake has ended. */
  readonly response: string | null;
  /** Whether a request is running that will store the response. */
  readonly isRunning: boolean;
}

/** A key is stored for 24 hours (decision 24), and a secret longer (rotate-secret.ts). */
const firstKept = fragment<string>`now() - interval '24 hours'`;

/** @throws Failure IDEMPOTENCY_KEY_REUSED if the key was used with another body (decision 26). */
const findCreation = async (
  sql: Sql,
  { organizationId, key, bodySha256 }: CreationKey,
): Promise<KnownCreation | undefined> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('endpoint_creations')
      .select(['endpoint_id', 'body_sha256', 'response'])
      .select(({ eb }) => eb('finish_by', '>', clockTimestamp).as('in_time'))
      .where('organization_id', '=', organizationId)
      .where('key', '=', key)
      .where('created_at', '>', firstKept),
  );
  if (!row) return undefined;
  if (!row.body_sha256.equals(bodySha256))
    throw new Failure(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used before with a different body.',
    );
  const isRunning = row.response === null && Boolean(row.in_time);
  const endpoint = { organizationId, id: row.endpoint_id };
  return { endpoint, response: row.response, isRunning };
};

const finishBy = (withinMs: number) =>
  fragment<string>`${clockTimestamp} + ${withinMs}::float8 * interval '1 ms'`;

/**
 * Stores the key of a new endpoint, and deletes the organization's expired keys.
 * @param withinMs milliseconds until the request ends.
 */
const addCreation = async (
  tx: Sql,
  { organizationId, key, bodySha256 }: CreationKey,
  endpointId: string,
  withinMs: number,
): Promise<void> => {
  const ofOrganization = tables
    .deleteFrom('endpoint_creations')
    .where('organization_id', '=', organizationId);
  await execute(tx, ofOrganization.where('created_at', '<=', firstKept));
  await execute(
    tx,
    tables.insertInto('endpoint_creations').values({
      endpoint_id: endpointId,
      organization_id: organizationId,
      key,
      body_sha256: Buffer.from(bodySha256),
      finish_by: finishBy(withinMs),
    }),
  );
};

/**
 * Stores the response, unless one is stored. Returns the stored response.
 * @throws Failure ORGANIZATION_HELD: nobody has seen the secret, and a repetition with the key
 *   continues with the endpoint, in the other cell if it has moved.
 */
export const storeResponse = async (
  sql: Sql,
  { organizationId, id }: EndpointKey,
  response: string,
): Promise<string> => {
  const [row] = await execute(
    sql,
    tables
      .updateTable('endpoint_creations')
      .set(({ fn, ref, val }) => ({ response: fn.coalesce(ref('response'), val(response)) }))
      .where('organization_id', '=', organizationId)
      .where('endpoint_id', '=', id)
      .returning('response'),
  );
  return row?.response ?? response;
};
