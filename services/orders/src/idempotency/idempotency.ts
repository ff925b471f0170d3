/**
 * Contract 4.2.1, decisions 22 to 26. The row is written in the transaction that makes the order,
 * so "the order exists" and "the replay exists" are one fact, and a failed attempt frees the key.
 */
import { type Sql, sqlState } from '@pto/database';
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

/** The stored answer to this very request, or null. @throws Failure IDEMPOTENCY_KEY_REUSED */
export const findReplay = async (sql: Sql, scope: IdempotencyScope): Promise<Buffer | null> => {
  const { route, key, bodySha256 } = scope.idempotency;
  const [row] = await sql.query<Row>(
    `select body_sha256, answer from idempotency
     where organization_id = $1 and route = $2 and key = $3
       and created_at > now() - $4 * interval '1 ms'`,
    [scope.organizationId, route, key, scope.keepMs],
  );
  if (!row) return null;
  if (row.body_sha256.equals(bodySha256)) return row.answer;
  throw new Failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before with a different body.',
  );
};

/**
 * Takes the key for this transaction. A twin that holds it is waited for, up to `waitMs`.
 * @returns whether the key is ours; if not, the twin has committed and its answer can be found.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS
 */
export const claimKey = async (
  tx: Sql,
  scope: IdempotencyScope,
  waitMs: number,
): Promise<boolean> => {
  const { route, key, bodySha256 } = scope.idempotency;
  try {
    const wait = Math.max(waitMs, 1);
    await tx.query(
      `select set_config('lock_timeout', $1, true), set_config('statement_timeout', $2, true)`,
      [`${wait}ms`, `${wait + 1000}ms`],
    );
    const claimed = await tx.query(
      `insert into idempotency (organization_id, route, key, body_sha256)
       values ($1, $2, $3, $4)
       on conflict (organization_id, route, key) do update
         set body_sha256 = excluded.body_sha256, answer = null, created_at = now()
         where idempotency.created_at <= now() - $5 * interval '1 ms'
       returning key`,
      [scope.organizationId, route, key, bodySha256, scope.keepMs],
    );
    return claimed.length === 1;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  }
};

/** Keeps the answer beside the key that this transaction has claimed. */
export const keepAnswer = async (
  tx: Sql,
  scope: IdempotencyScope,
  answer: Uint8Array,
): Promise<void> => {
  const { route, key } = scope.idempotency;
  await tx.query(
    `update idempotency set answer = $4
     where organization_id = $1 and route = $2 and key = $3`,
    [scope.organizationId, route, key, answer],
  );
};
