/**
 * Idempotency of POST /webhooks (docs/decisions/idempotent-endpoints.md). The transaction that
 * stores an endpoint stores its key, so a failed attempt leaves the key unused. The response is
 * stored after the handshake, without the secret, which is stored sealed and nowhere else.
 */
import { clockTimestamp, execute, fragment, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/entities.ts';

/** A partner's `Idempotency-Key`, and the SHA-256 of the request's body (decisions 22, 23). */
export interface CreationKey {
  readonly organizationId: string;
  readonly key: string;
  readonly bodySha256: Uint8Array;
}

/** The endpoint that was created under a key. */
export interface KnownCreation {
  readonly endpointId: string;
  /** The stored response without its secret; null before the handshake has ended. */
  readonly response: string | null;
  /** Whether a request is running that will store the response. */
  readonly isRunning: boolean;
}

/** A key is stored for 24 hours (decision 24), and a secret longer (rotate-secret.ts). */
const firstKept = fragment<string>`now() - interval '24 hours'`;

/** @throws Failure IDEMPOTENCY_KEY_REUSED if the key was used with another body (decision 26). */
export const findCreation = async (
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
  return { endpointId: row.endpoint_id, response: row.response, isRunning };
};

const finishBy = (withinMs: number) =>
  fragment<string>`${clockTimestamp} + ${withinMs}::float8 * interval '1 ms'`;

/**
 * Stores the key of a new endpoint, and deletes the organization's expired keys.
 * @param withinMs milliseconds until the request ends.
 */
export const addCreation = async (
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

/** Declares that this request will store the response, because the one before has ended. */
export const takeOver = async (tx: Sql, endpointId: string, withinMs: number): Promise<void> => {
  await execute(
    tx,
    tables
      .updateTable('endpoint_creations')
      .set({ finish_by: finishBy(withinMs) })
      .where('endpoint_id', '=', endpointId),
  );
};

/** Stores the response, unless one is stored. Returns the stored response. */
export const storeResponse = async (
  sql: Sql,
  endpointId: string,
  response: string,
): Promise<string> => {
  const [row] = await execute(
    sql,
    tables
      .updateTable('endpoint_creations')
      .set(({ fn, ref, val }) => ({ response: fn.coalesce(ref('response'), val(response)) }))
      .where('endpoint_id', '=', endpointId)
      .returning('response'),
  );
  return row?.response ?? response;
};
