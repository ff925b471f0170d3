import { parseInstantMs } from '@pto/config';
import { type Database, execute, firstUuidv7, fragment, isUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import type { ListActionsRequest } from '@pto/proto/operators/v1/operators';
import { nextIdOf, shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';

const pageSizeDefault = 200;
const pageSizeMax = 1000;
/**
 * Maximum difference between the clocks of the replicas, which make the ids, and the database's
 * clock.
 */
const clocksDifferMs = 60_000;

const time = (text: string, field: string): Date | null => {
  if (text === '') return null;
  try {
    return new Date(parseInstantMs(text));
  } catch (error) {
    throw invalid([field], (error as Error).message, text);
  }
};

/**
 * Selects every action with its outcome. A read of several pages has `ok` if any page succeeded.
 */
const actions = tables.selectFrom('operator_actions as a').leftJoinLateral(
  ({ selectFrom }) =>
    selectFrom('operator_outcomes')
      .select(['outcome', 'duration_ms'])
      .whereRef('action_id', '=', 'a.id')
      .orderBy(({ eb }) => eb('outcome', '=', 'ok'), 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .as('o'),
  (join) => join.onTrue(),
);

const outcome = fragment<string>`case when not a.allowed then 'denied'
  else coalesce(o.outcome, 'unknown') end`;

/** Selects the actions that match a request. @throws Failure VALIDATION */
const listed = (request: ListActionsRequest) => {
  const { operator, action, target, beforeId } = request;
  const since = time(request.since, 'since');
  const until = time(request.until, 'until');
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
    .$if(target !== '', (query) => query.where('a.target', '=', target))
    .$if(request.outcome !== '', (query) => query.where(outcome, '=', request.outcome))
    .$if(beforeId !== '', (query) => query.where('a.id', '<', beforeId));
};

/** Returns a page of the log, newest first. @throws Failure VALIDATION */
export const listActions = async (db: Database, request: ListActionsRequest) => {
  const { pageSize, beforeId } = request;
  if (pageSize > pageSizeMax) throw invalid(['page_size'], `at most ${pageSizeMax}`, pageSize);
  if (beforeId !== '' && !isUuid(beforeId))
    throw invalid(['before_id'], 'expected next_id of the page before', beforeId);
  const limit = pageSize || pageSizeDefault;
  const rows = await execute(
    db,
    listed(request)
      .select(columns)
      .select(outcome.as('outcome'))
      .orderBy('a.id', 'desc')
      .limit(limit),
  );
  return {
    actions: rows.map(shown),
    nextId: nextIdOf(rows, limit),
  };
};

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
] as const;
