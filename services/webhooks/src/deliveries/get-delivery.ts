import { execute, fragment, isoMillis, isUuid, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { publicReason } from '../egress/public-reason.ts';
import { externalIdIn } from '../queue/payload.ts';
import { type Rows, tables } from '../schema/entities.ts';
import { readAddresses } from './endpoint-addresses.ts';

/** Identifies a delivery. A partner's call names the endpoint; an operator's call does not. */
export interface DeliveryKey {
  readonly organizationId: string;
  readonly id: string;
  readonly endpointId?: string;
}

/** Returns a delivery with its attempts. @throws Failure NOT_FOUND. */
export const getDelivery = async (sql: Sql, { organizationId, id, endpointId }: DeliveryKey) => {
  if (!isUuid(id)) throw noSuchDelivery();
  const found = storedDeliveries
    .where('d.organization_id', '=', organizationId)
    .where('d.id', '=', id)
    .$if(endpointId !== undefined, (stored) => stored.where('d.endpoint_id', '=', endpointId!));
  const [delivery] = await deliveryMessages(sql, organizationId, found, 1);
  if (!delivery) throw noSuchDelivery();
  return delivery;
};

/** Returns the body that each attempt of a delivery sends. @throws Failure NOT_FOUND. */
export const getDeliveryBody = async (
  sql: Sql,
  { organizationId, id }: DeliveryKey,
): Promise<Buffer> => {
  const [delivery] = await execute(
    sql,
    tables
      .selectFrom('deliveries')
      .select('payload')
      .where('organization_id', '=', organizationId)
      .where('id', '=', id),
  );
  if (!delivery) throw noSuchDelivery();
  return delivery.payload;
};

export const noSuchDelivery = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such delivery.', { details: { resource: 'delivery' } });

/** Selects deliveries with all columns. Add conditions on `d`. */
export const storedDeliveries = tables.selectFrom('deliveries as d').selectAll('d');

/** A query of deliveries with all columns. */
export interface StoredDeliveries {
  as(alias: 'd'): ReturnType<typeof storedDeliveries.as<'d'>>;
}

/** A delivery for the operator, with the exact errors of its attempts. */
export type DeliveryMessage = Awaited<ReturnType<typeof deliveryMessages>>[number];

/**
 * Returns a query of deliveries with their states, newest first. `p` is the delivery's row in the
 * queue. Only EXHAUSTED is stored as a state; a delivery that is neither EXHAUSTED nor queued was
 * delivered. `due_at` is null if the delivery is not queued. During an attempt it is the start of the
 * lease, after a lost lease the end of the pause.
 */
export const withStates = (deliveries: StoredDeliveries, limit: number) =>
  tables
    .selectFrom(deliveries.as('d'))
    .leftJoin('pending_deliveries as p', (join) =>
      join.onRef('p.organization_id', '=', 'd.organization_id').onRef('p.delivery_id', '=', 'd.id'),
    )
    .select(['d.id', 'd.endpoint_id', 'd.order_id', 'd.event_id', 'd.event', 'd.reason'])
    .select(['d.replay_of', 'd.sequence', 'd.created_at', 'd.ended_at', 'd.payload'])
    .select(({ eb, fn }) => [
      eb
        .case()
        .when('d.state', '=', 'EXHAUSTED')
        .then(fragment.lit('EXHAUSTED'))
        .when('p.delivery_id', 'is not', null)
        .then(fragment.lit('PENDING'))
        .else(fragment.lit('DELIVERED'))
        .end()
        .as('state'),
      eb
        .case()
        .when('p.lease_until', '>', fragment<string>`now()`)
        .then(eb.ref('p.leased_at'))
        .when('p.lease_until', 'is not', null)
        .then(fn<string>('greatest', ['p.due_at', 'p.due_if_lost_at']))
        .else(eb.ref('p.due_at'))
        .end()
        .as('due_at'),
    ])
    .orderBy('d.id', 'desc')
    .limit(limit);

/**
 * Returns deliveries of an organization for the operator, newest first, each with its attempts in
 * their order. `dueAt` is empty if the delivery is not queued.
 * @param bodies of which attempts a long list has the receiver's response: a bound for its size.
 */
export const deliveryMessages = async (
  sql: Sql,
  organizationId: string,
  deliveries: StoredDeliveries,
  limit: number,
  bodies: 'all' | 'last' = 'all',
) => {
  const rows = await execute(sql, withStates(deliveries, limit));
  const ids = rows.map(({ id }) => id);
  const attempts = await execute(
    sql,
    tables
      .selectFrom('attempts')
      .select(['delivery_id', 'at', 'status_code', 'error', 'duration_ms', 'response_body'])
      .where('organization_id', '=', organizationId)
      .where(({ eb, fn, val }) => eb('delivery_id', '=', fn.any(val(ids))))
      .orderBy('delivery_id')
      .orderBy('number'),
  );
  const endpointIds = [...new Set(rows.map((row) => row.endpoint_id))];
  const endpoints = await readAddresses(sql, organizationId, endpointIds);
  const byDelivery = Map.groupBy(attempts, (attempt) => attempt.delivery_id);
  return rows.map((row) => ({
    id: row.id,
    endpointId: row.endpoint_id,
    endpointAddress: endpoints.get(row.endpoint_id)?.address ?? '',
    endpointDeletedAt: endpoints.get(row.endpoint_id)?.deletedAt ?? '',
    orderId: row.order_id,
    orderExternalId: externalIdIn(row.payload),
    event: row.event,
    state: row.state,
    reason: row.reason,
    replayOf: row.replay_of ?? '',
    sequence: Number(row.sequence),
    createdAt: isoMillis(row.created_at),
    endedAt: row.ended_at === null ? '' : isoMillis(row.ended_at),
    dueAt: row.due_at === null ? '' : isoMillis(row.due_at),
    attempts: (byDelivery.get(row.id) ?? []).map((attempt, n, { length }) => {
      const message = attemptMessage(attempt);
      return bodies === 'all' || n === length - 1 ? message : { ...message, responseBody: '' };
    }),
  }));
};

type AttemptRow = Pick<
  Rows['attempts'],
  'at' | 'status_code' | 'error' | 'duration_ms' | 'response_body'
>;

/** Returns an attempt for the operator. */
export const attemptMessage = (attempt: AttemptRow) => ({
  at: isoMillis(attempt.at),
  ...(attempt.status_code !== null && { statusCode: attempt.status_code }),
  error: attempt.error,
  durationMs: attempt.duration_ms,
  responseBody: attempt.response_body ?? '',
});

/**
 * Returns a delivery as its partner reads it: with public reasons in place of exact errors. An
 * `unreachable` attempt shows a duration of at least `connectTimeoutMs`. Both the error and a
 * shorter duration could reveal internal hosts (decision 62).
 */
export const partnerDelivery = (
  delivery: DeliveryMessage,
  connectTimeoutMs: number,
): DeliveryMessage => ({
  ...delivery,
  attempts: delivery.attempts.map((attempt) => partnerAttempt(attempt, connectTimeoutMs)),
});

/** Returns an attempt as its partner reads it, see `partnerDelivery`. */
export const partnerAttempt = (
  attempt: ReturnType<typeof attemptMessage>,
  connectTimeoutMs: number,
) => {
  const error = publicReason(attempt.error);
  const durationMs =
    error === 'unreachable' ? Math.max(attempt.durationMs, connectTimeoutMs) : attempt.durationMs;
  return { ...attempt, error, durationMs };
};
