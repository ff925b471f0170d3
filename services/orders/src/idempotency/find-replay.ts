import { createBatches } from '@pto/concurrency';
import { type Given, type Sql, statement, unnestNumbered } from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/tables.ts';
import { firstKeptId, type IdempotencyScope, type Keys, keysOf, keyTypes } from './scope.ts';

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
