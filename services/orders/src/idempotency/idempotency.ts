/**
 * Idempotency of creations (contract 4.2.1, decisions 22 to 26). The row is written in the
 * transaction that creates the order. So an order and its stored response exist together, and a
 * failed attempt releases the key.
 */
import { createBatches } from '@pto/concurrency';
import {
  byteaArray,
  firstUuidv7Sql,
  isLockTimeout,
  type Sql,
  textArray,
  uuidArray,
  uuidv7Sql,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { Idempotency } from '@pto/proto/orders/v1/orders';

interface Row {
  readonly body_sha256: Buffer;
  readonly response: Buffer;
}

export interface IdempotencyScope {
  readonly organizationId: string;
  readonly idempotency: Idempotency;
  /**
   * Milliseconds for which a response is stored: ORDERS_IDEMPOTENCY_KEEP (config.ts), a day by
   * default.
   */
  readonly keepMs: number;
}

/** Returns the number of days after which a partition contains only expired responses. */
export const daysKept = (keepMs: number): number => Math.ceil(keepMs / 86_400_000);

/**
 * Returns the condition for rows that have not expired. The database's clock makes the ids and
 * measures their age, so a replica whose clock is wrong finds the rows of other replicas. The lower
 * bound of the id limits PostgreSQL to the partitions of the last days.
 * @param keepMs placeholder of the milliseconds for which a response is stored.
 */
export const isKept = (keepMs: string): string =>
  `id > ${firstUuidv7Sql(`now() - ${keepMs}::float8 * interval '1 ms'`)}`;

/**
 * Returns a function that finds the stored response to a request with the same key and body, or
 * null. Concurrent calls share a statement of at most 16 keys, because a response may have 1 MiB.
 * @param keepMs milliseconds for which a response is stored.
 * @throws Failure IDEMPOTENCY_KEY_REUSED for the same key with another body
 */
export const sharedFindReplay = (
  sql: Sql,
  keepMs: number,
): ((scope: IdempotencyScope) => Promise<Buffer | null>) =>
  createBatches(
    async (scopes) => {
      const rows = await sql.query<Row & { place: number }>(
        `select requested.place::int as place, kept.body_sha256, kept.answer as response
         from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality
           as requested (organization_id, route, key, place)
         cross join lateral (select body_sha256, answer from idempotency i
           where i.organization_id = requested.organization_id and i.route = requested.route
             and i.key = requested.key and ${isKept('$4')}) kept`,
        [
          uuidArray(scopes.map(({ organizationId }) => organizationId)),
          textArray(scopes.map(({ idempotency }) => idempotency.route)),
          textArray(scopes.map(({ idempotency }) => idempotency.key)),
          keepMs,
        ],
      );
      const found = new Map(rows.map((row) => [scopes[row.place - 1], row]));
      return (scope) => responseOf(found.get(scope), scope);
    },
    { inFlightMax: 2, batchMax: 16, waitingMax: 1024 },
  );

const responseOf = (row: Row | undefined, { idempotency }: IdempotencyScope): Buffer | null => {
  if (!row) return null;
  if (row.body_sha256.equals(idempotency.bodySha256)) return row.response;
  throw new Failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before with a different body.',
  );
};

/** Returns the text whose hash is the advisory lock of a key. */
export const keyName = ({
  organizationId,
  idempotency: { route, key },
}: Pick<IdempotencyScope, 'organizationId' | 'idempotency'>): string =>
  [organizationId, route, key].join('\n');

/**
 * Locks the key until the end of this transaction. Waits up to `waitMs` for a concurrent request
 * that has the lock.
 * @returns false if a response is stored already, because another request has committed.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS if the wait is too long
 */
export const claimKey = async (
  tx: Sql,
  { organizationId, idempotency, keepMs }: IdempotencyScope,
  waitMs: number,
): Promise<boolean> => {
  const { route, key } = idempotency;
  const name = keyName({ organizationId, idempotency });
  const [tried] = await tx.query<{ held: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held',
    [name],
  );
  if (!tried!.held) await waitForLock(tx, name, Math.max(waitMs, 1));
  // a separate statement sees the commit of the request that had the lock before
  const kept = await tx.query(
    `select from idempotency
     where organization_id = $1 and route = $2 and key = $3 and ${isKept('$4')}`,
    [organizationId, route, key, keepMs],
  );
  return kept.length === 0;
};

const waitForLock = async (tx: Sql, name: string, waitMs: number): Promise<void> => {
  try {
    await tx.query(
      `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`,
      [`${waitMs}ms`, `${waitMs + 1000}ms`],
    );
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  }
};

/** Stores responses under the keys that this transaction has claimed. */
export const storeResponses = async (
  tx: Sql,
  responses: readonly { readonly scope: IdempotencyScope; readonly body: Uint8Array }[],
): Promise<void> => {
  if (responses.length === 0) return;
  await tx.query(
    `insert into idempotency (id, organization_id, route, key, body_sha256, answer)
     select ${uuidv7Sql('clock_timestamp()')}, r.*
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::bytea[]) as r`,
    [
      uuidArray(responses.map(({ scope }) => scope.organizationId)),
      textArray(responses.map(({ scope }) => scope.idempotency.route)),
      textArray(responses.map(({ scope }) => scope.idempotency.key)),
      byteaArray(responses.map(({ scope }) => scope.idempotency.bodySha256)),
      byteaArray(responses.map(({ body }) => body)),
    ],
  );
};
