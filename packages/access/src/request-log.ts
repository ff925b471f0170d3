import { defineEntity, p } from '@mikro-orm/core';
import {
  anyOf,
  execute,
  fragment,
  greatestUuid,
  isUuid,
  type Sql,
  tablesOf,
  unnest,
  uuidv7Millis,
} from '@pto/database';
import { kinds } from '@pto/errors';
import { errorsOf } from './request-errors.ts';

/**
 * One request of a partner. The gateway adds the rows, the operators service owns the table. `id`
 * is a UUIDv7 of the request's arrival, and the `X-Request-Id` of the response unless the client
 * chose one.
 */
export const RequestEntity = defineEntity({
  name: 'Request',
  tableName: 'requests',
  properties: {
    organizationId: p.uuid().primary(),
    id: p.uuid().primary(),
    keyId: p.uuid(),
    method: p.text(),
    path: p.text(),
    operation: p.text().nullable(),
    status: p.integer(),
    code: p.text().nullable(),
    requestId: p.text().nullable(),
    durationMs: p.integer(),
    leftOut: p.integer().nullable(),
    errors: p.text().nullable(),
    requiredScope: p.text().nullable(),
  },
});

const tables = tablesOf([RequestEntity]);

/** Days for which requests stay in the log. A day is dropped as a whole, so up to one day more. */
export const requestLogDays = 7;

/** Status of a request whose client disconnected before the response. */
export const disconnectedStatus = 499;

/** The methods that the log names; `other` stands for every other one. */
export const loggedMethods = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'other',
] as const;
export type LoggedMethod = (typeof loggedMethods)[number];

const statuses = [
  ...new Set([200, 201, 204, disconnectedStatus, ...Object.values(kinds).map(({ http }) => http)]),
];

/** Form of the filter `status`: a status, or a class of statuses such as `4xx`. */
export const statusFilterForm = /^[1-5](?:[0-9][0-9]|xx)$/;

const statusesOf = (filter: string | undefined): readonly number[] => {
  if (filter === undefined) return statuses;
  if (!filter.endsWith('xx')) return [Number(filter)];
  return statuses.filter((status) => `${status}`[0] === filter[0]);
};

const columns = [
  'id',
  'key_id',
  'method',
  'path',
  'operation',
  'status',
  'code',
  'request_id',
  'duration_ms',
  'left_out',
  'errors',
  'required_scope',
] as const;

/** Which requests of an organization a page has. */
export interface RequestFilter {
  readonly organizationId: string;
  /** Maximum number of requests, at least 1. */
  readonly limit: number;
  /** `nextId` of the page before. */
  readonly beforeId?: string | undefined;
  /** Of the form `statusFilterForm`. */
  readonly status?: string | undefined;
  readonly method?: LoggedMethod | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Returns a page of an organization's requests, newest first, with `nextId` if there are more. Each
 * filter has an index, so a page costs the same however few of millions of requests match.
 */
export const listRequests = async (sql: Sql, filter: RequestFilter) => {
  const { limit, requestId } = filter;
  const statement =
    requestId !== undefined
      ? byRequestId(filter, requestId)
      : isFiltered(filter)
        ? byOutcome(filter)
        : newest(filter);
  const rows = await execute(sql, statement);
  const page = rows.slice(0, limit);
  return {
    requests: page.map((row) => ({
      ...row,
      at: timeOf(row.id),
      request_id: row.request_id ?? row.id,
      errors: errorsOf(row.errors),
    })),
    nextId: rows.length > limit ? page.at(-1)!.id : undefined,
  };
};

/** Selects one row more than the page has, which shows whether there are more. */
const newest = ({ organizationId, limit, beforeId = greatestUuid }: RequestFilter) =>
  tables
    .selectFrom('requests')
    .select(columns)
    .where('organization_id', '=', organizationId)
    .where('id', '<', beforeId)
    .orderBy('id', 'desc')
    .limit(limit + 1);

const isFiltered = ({ status, method }: RequestFilter): boolean =>
  status !== undefined || method !== undefined;

const methodsOf = (method: LoggedMethod | undefined): readonly LoggedMethod[] =>
  method === undefined ? loggedMethods : [method];

/** Selects the requests whose client chose this id, and the one whose own id it is. */
const byRequestId = (filter: RequestFilter, requestId: string) => {
  const { limit, status, method } = filter;
  const ofFilter = (query: ReturnType<typeof newest>) =>
    query.$if(isFiltered(filter), (all) =>
      all
        .where('method', '=', anyOf(fragment.val(methodsOf(method))))
        .where('status', '=', anyOf(fragment.val(statusesOf(status)))),
    );
  const chosen = ofFilter(newest(filter).where('request_id', '=', requestId)).as('r');
  const own = ofFilter(newest(filter).where('request_id', 'is', null))
    .where('id', '=', isUuid(requestId) ? requestId : greatestUuid)
    .as('r');
  return tables
    .selectFrom(chosen)
    .selectAll()
    .unionAll(tables.selectFrom(own).selectAll())
    .orderBy('id', 'desc')
    .limit(limit + 1);
};

/** Makes one short scan of the index for each pair of a method and a status. */
const byOutcome = (filter: RequestFilter) =>
  tables
    .selectFrom([
      unnest('m', { method: fragment.val(methodsOf(filter.method)) }, { method: 'text' }),
      unnest('s', { status: fragment.val(statusesOf(filter.status)) }, { status: 'int' }),
    ])
    .innerJoinLateral(
      () =>
        newest(filter)
          .where('method', '=', fragment<string>`${fragment.ref('m.method')}`)
          .where('status', '=', fragment<number>`${fragment.ref('s.status')}`)
          .as('r'),
      (join) => join.onTrue(),
    )
    .select(columns.map((column) => `r.${column}` as const))
    .orderBy('r.id', 'desc')
    .limit(filter.limit + 1);

/** Returns the time in a UUIDv7, as YYYY-MM-DDTHH:mm:ss.sssZ. */
const timeOf = (id: string): string => new Date(uuidv7Millis(id)).toISOString();
