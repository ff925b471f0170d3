import { type Database, execute, firstUuidv7, fragment, isUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import type { ListActionsRequest } from '@pto/proto/operators/v1/operators';
import { nextIdOf, readTime, shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;
/**
 * Maximum difference between the clocks of the replicas, which make the ids, and the database's
 * clock.
 */
const clocksDifferMs = 60_000;

/**
 * Selects every action with its outcome. A read of several pages has `ok` if any page succeeded.
 */
const actions = tables.selectFrom('operator_actions as a').leftJoinLateral(
  ({ selectFrom }) =>
    selectFrom('operator_outcomes')
      .select(['outcome', 'duration_ms', 'created_id'])
      .whereRef('action_id', '=', 'a.id')
      .orderBy(({ eb }) => eb('outcome', '=', 'ok'), 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .as('o'),
  (join) => join.onTrue(),
);

const outcome = fragment<string>`case when not a.allowed then 'denied'
  else coalesce(o.outcome, 'unknown') end`;

const columns = [
  'a.id',
  'a.at',
  'a.operator_id',
  'a.operator_name',
  'a.roles',
  'a.credential',
  'a.rpc',
  'a.target',
  'a.request',
  'a.request_id',
  'a.client_address',
  'o.duration_ms',
  'o.created_id',
] as const;

/**
 * Selects the actions that match a request, whatever their target.
 * @throws Failure VALIDATION
 */
const listed = (request: ListActionsRequest, reads: readonly string[]) => {
  const { operator, action, beforeId, changesOnly } = request;
  const since = readTime(request.since, 'since');
  const until = readTime(request.until, 'until');
  return actions
    .$if(operator !== '', (query) =>
      query.where(({ eb, or }) =>
        or([
          eb('a.operator_name', '=', operator),
          eb(eb.cast<string>('a.operator_id', 'text'), '=', operator),
        ]),
      ),
    )
    .$if(since !== null, (query) =>
      query
        .where('a.at', '>=', since!.toISOString())
        .where('a.id', '>=', firstUuidv7(since!.getTime() - clocksDifferMs)),
    )
    .$if(until !== null, (query) => query.where('a.at', '<', until!.toISOString()))
    .$if(action !== '', (query) =>
      query.where(({ eb, or }) =>
        or([eb('a.rpc', '=', action), eb(fragment`split_part(a.rpc, '/', 2)`, '=', action)]),
      ),
    )
    .$if(changesOnly, (query) =>
      query
        // no command has one: an index skips the reads, but not those that were repeated
        .where('a.fold_key', 'is', null)
        .where(({ not }) => not(fragment<boolean>`a.rpc = any (${reads})`)),
    )
    .$if(request.outcome !== '', (query) => query.where(outcome, '=', request.outcome))
    .$if(beforeId !== '', (query) => query.where('a.id', '<', beforeId))
    .select(columns)
    .select(outcome.as('outcome'));
};

/**
 * Selects the actions on a target and the one that created it: two short scans, where one condition
 * for both would read the log.
 */
const onTarget = (all: ReturnType<typeof listed>, target: string, limit: number) => {
  const on = all.where('a.target', '=', target).orderBy('a.id', 'desc').limit(limit).as('t');
  const created = all
    .where('a.target', '<>', target)
    .where('a.id', 'in', (select) =>
      select.selectFrom('operator_outcomes').select('action_id').where('created_id', '=', target),
    )
    .orderBy('a.id', 'desc')
    .limit(limit)
    .as('t');
  return tables
    .selectFrom(on)
    .selectAll()
    .unionAll(tables.selectFrom(created).selectAll())
    .orderBy('id', 'desc')
    .limit(limit);
};

/**
 * Returns a page of the log, newest first.
 * @param reads names of the RPCs that only read.
 * @throws Failure VALIDATION
 */
export const listActions = async (
  db: Database,
  request: ListActionsRequest,
  reads: readonly string[],
) => {
  const { pageSize, beforeId, target } = request;
  if (pageSize > pageSizeMax) throw invalid(['page_size'], `at most ${pageSizeMax}`, pageSize);
  if (beforeId !== '' && !isUuid(beforeId))
    throw invalid(['before_id'], 'expected next_id of the page before', beforeId);
  const limit = pageSize || pageSizeDefault;
  const all = listed(request, reads);
  const rows = await execute(
    db,
    target === '' ? all.orderBy('a.id', 'desc').limit(limit) : onTarget(all, target, limit),
  );
  return {
    actions: rows.map(shown),
    nextId: nextIdOf(rows, limit),
  };
};
