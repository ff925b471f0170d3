/** What each endpoint has received of an order, from one statement. */
import { execute, fragment, isoMillis, type Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { addressOf } from './endpoint-addresses.ts';
import { attemptMessage, withStates } from './get-delivery.ts';

/** Maximum number of deleted endpoints whose deliveries of an order are read: the last ones. */
const deletedMax = 100;

/** Maximum number of an order's deliveries that are counted: the newest ones. */
const countedMax = 10_000;

/** Null, as a value of a type. */
const none = <T>(type: string) => fragment<T | null>`null::${fragment.ref(type)}`;

/** The organization's endpoints, and those that were deleted last. */
const endpointsOf = (organizationId: string) =>
  tables
    .selectFrom('endpoints')
    .select(({ ref }) => ['id', 'url', ref('status').$castTo<string>().as('status'), 'disabled'])
    .select(({ ref }) => [
      'event_filter',
      ref('created_at').$castTo<string | null>().as('created_at'),
    ])
    .select(none<string>('timestamptz').as('deleted_at'))
    .where('organization_id', '=', organizationId)
    .unionAll(({ parens, selectFrom }) =>
      parens(
        selectFrom('deleted_endpoints')
          .select(['id', 'address as url', fragment<string>`''`.as('status')])
          .select([fragment.lit(false).as('disabled'), 'event_filter', 'created_at', 'deleted_at'])
          .where('organization_id', '=', organizationId)
          .orderBy('deleted_at', 'desc')
          .limit(deletedMax),
      ),
    );

/**
 * Selects the newest deliveries of an order. The index of deliveries by order begins with the
 * endpoint: a look-up for each. As a join, a generic plan would read the deliveries of all days.
 */
export const deliveriesOfOrder = (organizationId: string, orderId: string, limit: number) =>
  tables
    .selectFrom(endpointsOf(organizationId).as('e'))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('deliveries as f')
          .selectAll('f')
          .where('f.organization_id', '=', organizationId)
          .whereRef('f.endpoint_id', '=', 'e.id')
          .where('f.order_id', '=', orderId)
          .orderBy('f.id', 'desc')
          .limit(limit)
          .as('d'),
      (join) => join.onTrue(),
    )
    .selectAll('d')
    .orderBy('d.id', 'desc')
    .limit(limit);

/** The order's deliveries, each with its last attempt. */
const sentOf = (organizationId: string, orderId: string) =>
  tables
    .selectFrom(
      withStates(deliveriesOfOrder(organizationId, orderId, countedMax), countedMax).as('d'),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('attempts as t')
          .select(['t.at', 't.status_code', 't.error', 't.duration_ms', 't.response_body'])
          .where('t.organization_id', '=', organizationId)
          .whereRef('t.delivery_id', '=', 'd.id')
          .orderBy('t.number', 'desc')
          .limit(1)
          .as('a'),
      (join) => join.onTrue(),
    )
    .select(['d.endpoint_id', 'd.event_id', 'd.state', 'd.due_at'])
    .select(['a.at', 'a.status_code', 'a.error', 'a.duration_ms', 'a.response_body']);

/** The order's events of the time of each endpoint that its filter selects, sent or not. */
const wantedOf = (organizationId: string, orderId: string) =>
  tables
    .selectFrom('events as v')
    .innerJoin(endpointsOf(organizationId).as('w'), (join) =>
      join
        .onRef('v.created_at', '>=', 'w.created_at')
        .on(({ eb, or }) =>
          or([eb('w.deleted_at', 'is', null), eb('v.created_at', '<', eb.ref('w.deleted_at'))]),
        )
        .on(({ eb, fn, or, ref }) =>
          or([
            eb('w.event_filter', 'is', null),
            eb('v.event', '=', fn.any(ref('w.event_filter').$castTo<string[]>())),
          ]),
        ),
    )
    .where('v.organization_id', '=', organizationId)
    .where('v.order_id', '=', orderId)
    // what nothing was sent for is like what failed
    .select(['w.id as endpoint_id', 'v.event_id', fragment.lit('EXHAUSTED').as('state')])
    .select([none<string>('timestamptz').as('due_at'), none<string>('timestamptz').as('at')])
    .select([none<number>('int2').as('status_code'), none<string>('text').as('error')])
    .select([none<number>('int4').as('duration_ms'), none<string>('text').as('response_body')]);

/** The summary's rows: a row for each delivery, and one for each selected event. */
const rowsOf = (sql: Sql, organizationId: string, orderId: string) =>
  execute(
    sql,
    tables
      .selectFrom(endpointsOf(organizationId).as('e'))
      .innerJoin(
        sentOf(organizationId, orderId).unionAll(wantedOf(organizationId, orderId)).as('s'),
        's.endpoint_id',
        'e.id',
      )
      .selectAll('s')
      .select(['e.url', 'e.status', 'e.disabled', 'e.deleted_at'])
      .orderBy(({ eb }) => eb('e.deleted_at', 'is not', null))
      .orderBy('e.id'),
  );

/**
 * Returns a summary for each endpoint that has deliveries of the order, or whose filter selects
 * events of the order: first those that exist, each part oldest first. An event counts once, however
 * often it was sent; deliveries and events are stored for 30 days.
 */
export const summarizeOrder = async (
  sql: Sql,
  { orderId, organizationId }: { readonly orderId: string; readonly organizationId: string },
) => {
  const rows = await rowsOf(sql, organizationId, orderId);
  return [...Map.groupBy(rows, (row) => row.endpoint_id).values()].map(summaryOf);
};

type Row = Awaited<ReturnType<typeof rowsOf>>[number];

/** Returns the summary of one endpoint. Pure. */
const summaryOf = (rows: readonly Row[]) => {
  const { endpoint_id: endpointId, url, status, disabled, deleted_at: deletedAt } = rows[0]!;
  const events = [...Map.groupBy(rows, ({ event_id }) => event_id).values()];
  const open = events.filter((of) => !of.some(isDelivered));
  const [lastDelivered] = newestFirst(rows.filter(isDelivered));
  const [lastFailure] = newestFirst(open.flat());
  const due = open.flat().flatMap(({ due_at: at }) => (at === null ? [] : [isoMillis(at)]));
  return {
    endpointId,
    endpointAddress: deletedAt === null ? addressOf(url) : url,
    endpointDeletedAt: deletedAt === null ? '' : isoMillis(deletedAt),
    endpointStatus: status,
    endpointDisabled: disabled,
    events: events.length,
    delivered: events.length - open.length,
    failed: open.filter((of) => of.every(({ due_at: at }) => at === null)).length,
    lastDeliveredAt: lastDelivered ? lastDelivered.at : '',
    dueAt: due.sort()[0] ?? '',
    ...(lastFailure && { lastFailure }),
  };
};

const isDelivered = ({ state }: Row): boolean => state === 'DELIVERED';

/** Returns the last attempts of deliveries. */
const newestFirst = (rows: readonly Row[]) =>
  rows
    .flatMap(({ at, error, duration_ms, ...rest }) =>
      at === null
        ? []
        : [attemptMessage({ ...rest, at, error: error!, duration_ms: duration_ms! })],
    )
    .sort((one, other) => (one.at < other.at ? 1 : -1));
