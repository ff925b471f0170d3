import { type Database, firstUuidv7, isUuid } from '@pto/database';
import { invalid } from '@pto/errors';
import type { ListActionsRequest } from '@pto/proto/operators/v1/operators';

const pageSizeDefault = 200;
const pageSizeMax = 1000;
/** Ids are made by replicas whose clocks differ from the database's. */
const clocksDifferMs = 60_000;

interface Row {
  readonly id: string;
  readonly at: Date | string;
  readonly operator_id: string;
  readonly operator_name: string;
  readonly roles: string[];
  readonly credential: string;
  readonly rpc: string;
  readonly target: string;
  readonly request: string;
  readonly request_id: string;
  readonly client_address: string;
  readonly outcome: string;
  readonly duration_ms: number | null;
}

const time = (text: string, field: string): Date | null => {
  if (text === '') return null;
  const at = new Date(text);
  if (!/^\d{4}-\d\d-\d\dT/.test(text) || Number.isNaN(at.getTime()))
    throw invalid([field], 'expected a time such as 2026-01-15T09:30:00Z', text);
  return at;
};

const outcome = `case when not a.allowed then 'denied' else coalesce(o.outcome, 'unknown') end`;

/** A page of the log, newest first. @throws Failure VALIDATION */
export const listActions = async (db: Database, request: ListActionsRequest) => {
  const { pageSize, beforeId } = request;
  if (pageSize > pageSizeMax) throw invalid(['page_size'], `at most ${pageSizeMax}`, pageSize);
  if (beforeId !== '' && !isUuid(beforeId))
    throw invalid(['before_id'], 'expected next_id of the page before', beforeId);
  const limit = pageSize || pageSizeDefault;
  const since = time(request.since, 'since');
  const rows = await db.query<Row>(
    `select a.id, a.at, a.operator_id, a.operator_name, a.roles, a.credential, a.rpc, a.target,
       a.request, a.request_id, a.client_address, ${outcome} as outcome, o.duration_ms
     from operator_actions a
     left join lateral (select outcome, duration_ms from operator_outcomes
       where action_id = a.id order by outcome = 'ok' desc, id desc limit 1) o on true
     where ($1 = '' or a.operator_name = $1 or a.operator_id::text = $1)
       and ($2::timestamptz is null or a.at >= $2) and ($3::uuid is null or a.id >= $3)
       and ($4::timestamptz is null or a.at < $4)
       and ($5 = '' or a.rpc = $5 or split_part(a.rpc, '/', 2) = $5)
       and ($6 = '' or a.target = $6)
       and ($7 = '' or ${outcome} = $7)
       and ($8::uuid is null or a.id < $8)
     order by a.id desc limit $9`,
    [
      request.operator,
      since,
      since && firstUuidv7(since.getTime() - clocksDifferMs),
      time(request.until, 'until'),
      request.action,
      request.target,
      request.outcome,
      beforeId || null,
      limit,
    ],
  );
  return {
    actions: rows.map(shape),
    nextId: rows.length === limit ? rows.at(-1)!.id : '',
  };
};

const shape = (row: Row) => ({
  id: row.id,
  at: new Date(row.at).toISOString(),
  operatorId: row.operator_id,
  operatorName: row.operator_name,
  roles: row.roles,
  credential: row.credential,
  rpc: row.rpc,
  target: row.target,
  request: row.request,
  requestId: row.request_id,
  clientAddress: row.client_address,
  outcome: row.outcome,
  ...(row.duration_ms !== null && { durationMs: row.duration_ms }),
});
