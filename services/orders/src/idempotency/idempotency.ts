/**
 * Contract 4.2.1, decisions 22 to 26. The row is written in the transaction that makes the order,
 * so "the order exists" and "the replay exists" are one fact, and a failed attempt frees the key.
 */
import { firstUuidv7Sql, isLockTimeout, type Sql, uuidv7Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Idempotency } from '@pto/proto/orders/v1/orders';

interface Row {
  readonly body_sha256: Buffer;
  readonly answer: Buffer;
}

export interface IdempotencyScope {
  readonly organizationId: string;
  readonly idempotency: Idempotency;
  /** Milliseconds that an answer is kept. */
  readonly keepMs: number;
}

/** Whole days after which a day's partition holds nothing that is kept any more. */
export const daysKept = (keepMs: number): number => Math.ceil(keepMs / 86_400_000);

/**
 * One key's row that is still kept. The database's clock makes the ids and measures their age: a
 * replica whose clock is wrong finds what the others have stored. The bound lets PostgreSQL look
 * into the last days' partitions alone.
 */
const fresh = `organization_id = $1 and route = $2 and key = $3
  and id > ${firstUuidv7Sql("now() - $4::float8 * interval '1 ms'")}`;
const ofScope = ({ organizationId, idempotency, keepMs }: IdempotencyScope): unknown[] => {
  const { route, key } = idempotency;
  return [organizationId, route, key, keepMs];
};

/** The stored answer to this very request, or null. @throws Failure IDEMPOTENCY_KEY_REUSED */
export const findReplay = async (sql: Sql, scope: IdempotencyScope): Promise<Buffer | null> => {
  const [row] = await sql.query<Row>(
    `select body_sha256, answer from idempotency where ${fresh}`,
    ofScope(scope),
  );
  if (!row) return null;
  if (row.body_sha256.equals(scope.idempotency.bodySha256)) return row.answer;
  throw new Failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before with a different body.',
  );
};

/** A key that this transaction holds. */
export interface Claim {
  /** The row to which the answer belongs. */
  readonly id: string;
}

/**
 * Takes the key for this transaction. Waits up to `waitMs` for a concurrent request that holds it;
 * the lock then excludes all others until this transaction ends.
 * @returns the claim; null if a concurrent request has committed; its response is stored.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS
 */
export const claimKey = async (
  tx: Sql,
  scope: IdempotencyScope,
  waitMs: number,
): Promise<Claim | null> => {
  const { organizationId, idempotency } = scope;
  const { route, key, bodySha256 } = idempotency;
  try {
    const wait = Math.max(waitMs, 1);
    await tx.query(
      `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`,
      [`${wait}ms`, `${wait + 1000}ms`],
    );
    await tx.query(`select pg_advisory_xact_lock(hashtextextended($1, 0))`, [
      [organizationId, route, key].join('\n'),
    ]);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  }
  const [claim] = await tx.query<Claim>(
    `insert into idempotency (id, organization_id, route, key, body_sha256)
     select ${uuidv7Sql('clock_timestamp()')}, $1, $2, $3, $5
     where not exists (select from idempotency where ${fresh})
     returning id`,
    [...ofScope(scope), bodySha256],
  );
  return claim ?? null;
};

/** Keeps the answer beside the key that this transaction has claimed. */
export const keepAnswer = async (
  tx: Sql,
  scope: IdempotencyScope,
  claim: Claim,
  answer: Uint8Array,
): Promise<void> => {
  const { route, key } = scope.idempotency;
  await tx.query(
    `update idempotency set answer = $5
     where organization_id = $1 and route = $2 and key = $3 and id = $4`,
    [scope.organizationId, route, key, claim.id, answer],
  );
};
