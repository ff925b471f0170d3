import { createBatches } from '@pto/concurrency';
import { type Given, overRows, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { createExpiringEntries, type Limits } from '../expiring-entries.ts';
import { tables } from '../schema/orders-database.ts';
import { firstKeptId, type IdempotencyScope, keyName, keyOf, keyTypes } from './scope.ts';

/**
 * Most replays come within seconds of each other: a partner repeats a request until it gets a
 * response. A stored response never changes, so a replica keeps the latest that it has read.
 */
const limits: Limits = { entriesMax: 1000, bytesMax: 4 * 1024 * 1024, maxAgeMs: 60_000 };

const selectKept = overRows(keyTypes, (rows, given: Given<{ keepMs: number; lastingMs: number }>) =>
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

/**
 * Returns a function that finds the stored response to a request with the same key and body, or
 * null, in a cache or in the database. Concurrent calls share a statement of at most 16 keys,
 * because a response may have 1 MiB.
 * @param keepMs milliseconds for which a response is stored. A response whose time ends while it
 *   could be cached is not cached.
 * @throws Failure IDEMPOTENCY_KEY_REUSED for the same key with another body
 */
export const sharedFindReplay = (
  sql: Sql,
  keepMs: number,
): ((scope: IdempotencyScope) => Promise<Buffer | null>) => {
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
    return row ? responseOf(row, scope) : null;
  };
};

const responseOf = (row: Row, { idempotency }: IdempotencyScope): Buffer => {
  if (row.body_sha256.equals(idempotency.bodySha256)) return row.response;
  throw new Failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was used before with a different body.',
  );
};
