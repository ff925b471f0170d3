/**
 * Contract 4.2.1, decisions 22 to 26. The row is written in the transaction that makes the order,
 * so "the order exists" and "the replay exists" are one fact, and a failed attempt frees the key.
 */
import { createBatches } from '@pto/concurrency';
import {
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
  /** Milliseconds that a response is kept: ORDERS_IDEMPOTENCY_KEEP (config.ts), a day by default. */
  readonly keepMs: number;
}

/** Whole days after which a day's partition holds nothing that is kept any more. */
export const daysKept = (keepMs: number): number => Math.ceil(keepMs / 86_400_000);

/**
 * Rows that are still kept. The database's clock makes the ids and measures their age: a replica
 * whose clock is wrong finds what the others have stored. The bound lets PostgreSQL look into the
 * last days' partitions alone.
 * @param keepMs the placeholder of the milliseconds that a response is stored.
 */
const isKept = (keepMs: string): string =>
  `id > ${firstUuidv7Sql(`now() - ${keepMs}::float8 * interval '1 ms'`)}`;

/**
 * Finds the stored responses to these very requests, or null. Requests of one moment share a statement;
 * responses are bodies of up to 1 MiB, so they are few.
 * @param keepMs milliseconds that a response is stored.
 * @throws Failure IDEMPOTENCY_KEY_REUSED
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

/**
 * Takes the key for this transaction. Waits up to `waitMs` for a concurrent request that holds it;
 * the lock then excludes all others until this transaction ends.
 * @returns false if a concurrent request has committed; its response is stored.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS
 */
export const claimKey = async (
  tx: Sql,
  { organizationId, idempotency, keepMs }: IdempotencyScope,
  waitMs: number,
): Promise<boolean> => {
  const { route, key } = idempotency;
  const name = [organizationId, route, key].join('\n');
  const [tried] = await tx.query<{ held: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as held',
    [name],
  );
  if (!tried!.held) await waitForLock(tx, name, Math.max(waitMs, 1));
  // a statement of its own: it sees what the lock's last holder has committed
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

/** Stores the response under the key that this transaction has claimed. */
export const storeResponse = async (
  tx: Sql,
  { organizationId, idempotency }: IdempotencyScope,
  response: Uint8Array,
): Promise<void> => {
  const { route, key, bodySha256 } = idempotency;
  await tx.query(
    `insert into idempotency (id, organization_id, route, key, body_sha256, answer)
     values (${uuidv7Sql('clock_timestamp()')}, $1, $2, $3, $4, $5)`,
    [organizationId, route, key, bodySha256, response],
  );
};
