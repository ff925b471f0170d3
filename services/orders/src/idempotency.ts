/**
 * Idempotency of creations (contract 4.2.1, decisions 22 to 26). The transaction that creates an
 * order also inserts the row with the response. So an order and its stored response exist together,
 * and the rollback of a failed creation leaves the key unused.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { createBatches } from '@pto/concurrency';
import {
  bulkStatement,
  clockTimestamp,
  type Expression,
  firstUuidv7Sql,
  fragment,
  insertFromArrays,
  type Placeholders,
  type Sql,
  statement,
  type Transaction,
  uuidv7Sql,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { Idempotency } from '@pto/proto/orders/v1/orders';
import { createExpiringEntries } from './expiring-entries.ts';
import { tables } from './schema/tables.ts';

export interface IdempotencyScope {
  readonly organizationId: string;
  readonly idempotency: Pick<Idempotency, 'key' | 'route' | 'bodySha256'>;
  /** Milliseconds for which a response is stored (ORDERS_IDEMPOTENCY_KEEP, a day by default). */
  readonly keepMs: number;
}

/** Returns the number of days after which a partition contains only expired responses. */
export const daysKept = (keepMs: number): number => Math.ceil(keepMs / 86_400_000);

/**
 * Returns the lower bound of the ids of stored responses that have not expired. The database's
 * clock gives both the ids and this bound, so the clock of a replica does not matter. The bound
 * lets PostgreSQL skip the partitions of earlier days.
 * @param keepMs the milliseconds for which a response is stored.
 */
export const firstKeptId = (keepMs: Expression<number>): Expression<string> =>
  firstUuidv7Sql(fragment<string>`now() - ${keepMs}::float8 * interval '1 ms'`);

/** The columns by which stored responses are found. */
const keyTypes = { organization_id: 'uuid', route: 'text', key: 'text' } as const;

const keyOf = ({ organizationId, idempotency: { route, key } }: IdempotencyScope) => ({
  organization_id: organizationId,
  route,
  key,
});

/**
 * Returns the name of an idempotency key's advisory lock. PostgreSQL locks the hash of this name.
 */
export const keyName = (scope: IdempotencyScope): string => Object.values(keyOf(scope)).join('\n');

const tryLock = statement((given: Placeholders<{ name: string }>) =>
  tables.selectNoFrom(({ fn, lit }) =>
    fn<boolean>('pg_try_advisory_xact_lock', [fn('hashtextextended', [given.name, lit(0)])]).as(
      'held',
    ),
  ),
);

/** Milliseconds before the caller's deadline that stay reserved for the response after a wait. */
const reserveMs = 500;
/** Interval at which a request tries to lock a key that a concurrent request has, in ms. */
const retryMs = 25;

/**
 * Locks the idempotency key until the end of this transaction. Waits until shortly before the
 * caller's deadline (`performance.now()`) if a concurrent request has the lock.
 * @returns true if no response is stored under the key; false if another request with this key has
 *   committed its response.
 * @throws Failure IDEMPOTENCY_IN_PROGRESS if the lock does not become free in that time.
 */
export const claimKey = async (
  tx: Transaction,
  scope: IdempotencyScope,
  deadline: number,
): Promise<boolean> => {
  const name = keyName(scope);
  while (!(await tryLock(tx, { name }))[0]!.held) {
    if (performance.now() > deadline - reserveMs) throw inProgress();
    await sleep(retryMs);
  }
  // a separate statement sees the commit of the request that had the lock before
  const { keepMs } = scope;
  const kept = await selectKept(tx, [keyOf(scope)], { keepMs, lastingMs: keepMs });
  return kept.length === 0;
};

/** The error of a request that does not wait longer for an earlier one with its key. */
const inProgress = (): Failure =>
  new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
    retryAfterSeconds: 1,
  });

const insertResponses = bulkStatement(
  { ...keyTypes, body_sha256: 'bytea', answer: 'bytea' },
  (rows) =>
    insertFromArrays(tables, 'idempotency', tables.selectFrom(rows('r')), ({ ref }) => ({
      id: uuidv7Sql(clockTimestamp),
      organization_id: ref('r.organization_id'),
      route: ref('r.route'),
      key: ref('r.key'),
      body_sha256: ref('r.body_sha256'),
      answer: ref('r.answer'),
    })),
);

/** Stores responses under the keys that this transaction has claimed. */
export const storeResponses = async (
  tx: Transaction,
  responses: readonly { readonly scope: IdempotencyScope; readonly body: Uint8Array }[],
): Promise<void> => {
  if (responses.length === 0) return;
  const rows = responses.map(({ scope, body }) => ({
    ...keyOf(scope),
    body_sha256: scope.idempotency.bodySha256,
    answer: body,
  }));
  await insertResponses(tx.pipelined, rows);
};

/**
 * Most replays come within seconds of each other: a partner repeats a request until it gets a
 * response. A stored response never changes, so a replica keeps the latest that it has read.
 */
const limits = { entriesMax: 1000, bytesMax: 4 * 1024 * 1024, maxAgeMs: 60_000 };

const selectKept = bulkStatement(
  keyTypes,
  (rows, given: Placeholders<{ keepMs: number; lastingMs: number }>) =>
    tables
      .selectFrom(rows('requested'))
      .crossJoinLateral(({ selectFrom }) =>
        selectFrom('idempotency as i')
          .select(['i.body_sha256', 'i.answer'])
          .select(({ eb }) => eb('i.id', '>', firstKeptId(given.lastingMs)).as('lasts'))
          .whereRef('i.organization_id', '=', 'requested.organization_id')
          .whereRef('i.route', '=', 'requested.route')
          .whereRef('i.key', '=', 'requested.key')
          .where('i.id', '>', firstKeptId(given.keepMs))
          .as('kept'),
      )
      .select(({ cast }) => cast<number>('requested.n', 'integer').as('place'))
      .select(['kept.body_sha256', 'kept.answer as response', 'kept.lasts']),
);

type Row = Awaited<ReturnType<typeof selectKept>>[number];

/** Estimated memory of a cached row: the response, objects, and a pool of Node's that it may hold. */
const bytesOf = ({ response }: Row): number => response.length + 512 + Buffer.poolSize;

/** Returns the stored response to a request with the same key and body, or null. */
export type FindReplay = (scope: IdempotencyScope) => Promise<Buffer | null>;

/**
 * Returns the stored response to a request with the same key and body, or else a new response.
 * @param create makes and stores a response; returns null if a concurrent request with the key has
 *   committed its own first.
 * @returns the response for the partner, and whether it is a replay of an earlier response.
 */
export const respondOnce = async (
  findReplay: FindReplay,
  scope: IdempotencyScope | undefined,
  create: () => Promise<Buffer | null>,
): Promise<{ body: Uint8Array; replayed: boolean }> => {
  const early = scope && (await findReplay(scope));
  if (early) return { body: early, replayed: true };
  const created = await create();
  if (created) return { body: created, replayed: false };
  const concurrent = scope && (await findReplay(scope));
  if (!concurrent) throw inProgress();
  return { body: concurrent, replayed: true };
};

/**
 * Returns a function that finds stored responses in a cache or in the database. Concurrent calls
 * share a statement of at most 16 keys, because a response may have 1 MiB.
 * @param keepMs milliseconds for which a response is stored. A response whose time ends while it
 *   could be cached is not cached.
 * @throws Failure IDEMPOTENCY_KEY_REUSED for the same key with another body
 */
export const sharedFindReplay = (sql: Sql, keepMs: number): FindReplay => {
  const cached = createExpiringEntries(limits, bytesOf);
  const lastingMs = keepMs - limits.maxAgeMs;
  const find = createBatches<IdempotencyScope, Row | undefined>(
    async (scopes) => {
      const readAt = performance.now();
      const rows = await selectKept(sql, scopes.map(keyOf), { keepMs, lastingMs });
      for (const row of rows)
        if (row.lasts) cached.set(keyName(scopes[row.place - 1]!), row, readAt);
      const found = new Map(rows.map((row) => [scopes[row.place - 1], row]));
      return (scope) => found.get(scope);
    },
    { inFlightMax: 2, batchMax: 16 },
  );
  return async (scope) => {
    const row = cached.get(keyName(scope), performance.now()) ?? (await find(scope));
    if (!row) return null;
    if (row.body_sha256.equals(scope.idempotency.bodySha256)) return row.response;
    throw new Failure(
      'IDEMPOTENCY_KEY_REUSED',
      'This Idempotency-Key was used before with a different body.',
    );
  };
};
