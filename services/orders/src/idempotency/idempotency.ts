/**
 * Idempotency of creations (contract 4.2.1, decisions 22 to 26). The row is written in the
 * transaction that creates the order. So an order and its stored response exist together, and a
 * failed attempt releases the key.
 */
import { createBatches } from '@pto/concurrency';
import {
  type ArrayOf,
  byteaArray,
  clockTimestamp,
  type Expression,
  firstUuidv7Sql,
  fragment,
  type Given,
  insertRows,
  isLockTimeout,
  lockName,
  type Sql,
  statement,
  textArray,
  unnest,
  unnestNumbered,
  uuidArray,
  uuidv7Sql,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { Idempotency } from '@pto/proto/orders/v1/orders';
import { tables } from '../schema/tables.ts';

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
 * Returns the lower bound of the ids of rows that have not expired. The database's clock makes the
 * ids and measures their age, so a replica whose clock is wrong finds the rows of other replicas.
 * The bound limits PostgreSQL to the partitions of the last days.
 * @param keepMs the milliseconds for which a response is stored.
 */
export const firstKeptId = (keepMs: Expression<number>): Expression<string> =>
  firstUuidv7Sql(fragment<string>`now() - ${keepMs}::float8 * interval '1 ms'`);

interface Keys {
  readonly organization_id: ArrayOf<string>;
  readonly route: ArrayOf<string>;
  readonly key: ArrayOf<string>;
}

const keyTypes = { organization_id: 'uuid', route: 'text', key: 'text' } as const;

const keysOf = (scopes: readonly IdempotencyScope[]): Keys => ({
  organization_id: uuidArray(scopes.map(({ organizationId }) => organizationId)),
  route: textArray(scopes.map(({ idempotency }) => idempotency.route)),
  key: textArray(scopes.map(({ idempotency }) => idempotency.key)),
});

const selectKept = statement((given: Given<Keys & { keepMs: number }>) =>
  tables
    .selectFrom(unnestNumbered('requested', given, keyTypes))
    .crossJoinLateral(({ selectFrom }) =>
      selectFrom('idempotency as i')
        .select(['i.body_sha256', 'i.answer'])
        .whereRef('i.organization_id', '=', 'requested.organization_id')
        .whereRef('i.route', '=', 'requested.route')
        .whereRef('i.key', '=', 'requested.key')
        .where('i.id', '>', firstKeptId(given.keepMs))
        .as('kept'),
    )
    .select(({ cast }) => cast<number>('requested.n', 'integer').as('place'))
    .select(['kept.body_sha256', 'kept.answer as response']),
);

type Row = Awaited<ReturnType<typeof selectKept>>[number];

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
      const rows = await selectKept(sql, { ...keysOf(scopes), keepMs });
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

const tryLock = statement((given: Given<{ name: string }>) =>
  tables.selectNoFrom(({ fn, lit }) =>
    fn<boolean>('pg_try_advisory_xact_lock', [fn('hashtextextended', [given.name, lit(0)])]).as(
      'held',
    ),
  ),
);

const selectKey = statement(
  (given: Given<{ organizationId: string; route: string; key: string; keepMs: number }>) =>
    tables
      .selectFrom('idempotency')
      .select('id')
      .where('organization_id', '=', given.organizationId)
      .where('route', '=', given.route)
      .where('key', '=', given.key)
      .where('id', '>', firstKeptId(given.keepMs)),
);

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
  const [tried] = await tryLock(tx, { name });
  if (!tried!.held) await waitForLock(tx, name, Math.max(waitMs, 1));
  // a separate statement sees the commit of the request that had the lock before
  const kept = await selectKey(tx, { organizationId, route, key, keepMs });
  return kept.length === 0;
};

const setTimeouts = statement((given: Given<{ lock: string; statement: string }>) =>
  tables.selectNoFrom(({ fn, lit, val }) => [
    fn('set_config', [val('lock_timeout'), given.lock, lit(true)]).as('lock'),
    fn('set_config', [val('statement_timeout'), given.statement, lit(true)]).as('statement'),
  ]),
);

const waitForLock = async (tx: Sql, name: string, waitMs: number): Promise<void> => {
  try {
    await setTimeouts(tx, { lock: `${waitMs}ms`, statement: `${waitMs + 1000}ms` });
    await lockName(tx, name);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  }
};

const responseTypes = { ...keyTypes, body_sha256: 'bytea', answer: 'bytea' } as const;

const insertResponses = statement(
  (given: Given<Keys & { body_sha256: ArrayOf<Uint8Array>; answer: ArrayOf<Uint8Array> }>) =>
    insertRows(
      tables,
      'idempotency',
      tables.selectFrom(unnest('r', given, responseTypes)),
      ({ ref }) => ({
        id: uuidv7Sql(clockTimestamp),
        organization_id: ref('r.organization_id'),
        route: ref('r.route'),
        key: ref('r.key'),
        body_sha256: ref('r.body_sha256'),
        answer: ref('r.answer'),
      }),
    ),
);

/** Stores responses under the keys that this transaction has claimed. */
export const storeResponses = async (
  tx: Sql,
  responses: readonly { readonly scope: IdempotencyScope; readonly body: Uint8Array }[],
): Promise<void> => {
  if (responses.length === 0) return;
  await insertResponses(tx, {
    ...keysOf(responses.map(({ scope }) => scope)),
    body_sha256: byteaArray(responses.map(({ scope }) => scope.idempotency.bodySha256)),
    answer: byteaArray(responses.map(({ body }) => body)),
  });
};
