import {
  type ArrayOf,
  anyOf,
  type Database,
  execute,
  fragment,
  type Placeholders,
  type Sql,
  sqlState,
  statement,
  type Transaction,
  withSavepoint,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { isNotHeld } from '@pto/moves';
import { tables } from '../schema/entities.ts';
import { enqueue, type NewDelivery, storedColumns } from './enqueue.ts';

/**
 * Queues deliveries. All are queued at once, or one by one if `isOneByOne` is true or the quarantine
 * has a delivery of the order and endpoint of one of them. Of those that are queued one by one, a
 * delivery that the database rejects goes to the quarantine, and `requeueQuarantined` retries it.
 * Later deliveries of the same order and endpoint also go to the quarantine, so that their sequence
 * is preserved (decision 41).
 * @param quarantined the result of `quarantinedStreams` for their organizations and orders.
 */
export const enqueueOrQuarantine = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  quarantined: Set<string>,
  isOneByOne: boolean,
): Promise<void> => {
  if (!isOneByOne && !deliveries.some((delivery) => quarantined.has(streamOf(delivery))))
    return enqueue(tx.pipelined, deliveries);
  for (const delivery of deliveries) {
    const stream = streamOf(delivery);
    const rejection = quarantined.has(stream)
      ? 'behind an earlier delivery of its order'
      : await tryEnqueue(tx, delivery);
    if (rejection === null) continue;
    quarantined.add(stream);
    await quarantine(tx, delivery, rejection);
  }
};

/**
 * Queues one delivery within a savepoint.
 * @returns why the database rejected the row, or null if it is queued.
 * @throws errors that the row did not cause, such as a lost connection.
 */
const tryEnqueue = async (tx: Transaction, delivery: NewDelivery): Promise<string | null> => {
  const error = await withSavepoint(
    tx,
    () => enqueue(tx, [delivery]),
    (thrown) => !(thrown instanceof Failure) && isCausedByRow(sqlState(thrown)),
  );
  return error === null ? null : (error as Error).message.slice(0, 500);
};

/**
 * Whether the row caused an error with this SQLSTATE. False for a lost connection, missing
 * resources and a transaction that can be retried.
 */
const isCausedByRow = (state: string | undefined): boolean =>
  state !== undefined && !/^(08|40|53|57)/.test(state);

const streamOf = (of: { orderId: string; endpointId: string }) => `${of.orderId} ${of.endpointId}`;

const selectStreams = statement(
  (given: Placeholders<{ organizationIds: ArrayOf<string>; orderIds: ArrayOf<string> }>) =>
    tables
      .selectFrom('quarantined_deliveries')
      .select(['order_id as orderId', 'endpoint_id as endpointId'])
      .distinct()
      .where('organization_id', '=', anyOf(given.organizationIds, 'uuid'))
      .where('order_id', '=', anyOf(given.orderIds, 'uuid')),
);

/**
 * Returns the orders and endpoints whose deliveries are in the quarantine, of these organizations'
 * orders.
 */
export const quarantinedStreams = async (
  sql: Sql,
  organizationIds: ReadonlySet<string>,
  orderIds: ReadonlySet<string>,
): Promise<Set<string>> => {
  const rows = await selectStreams(sql, {
    organizationIds: [...organizationIds],
    orderIds: [...orderIds],
  });
  return new Set(rows.map(streamOf));
};

const quarantine = (tx: Transaction, delivery: NewDelivery, reason: string) =>
  execute(
    tx,
    tables
      .insertInto('quarantined_deliveries')
      .values({ delivery_id: delivery.id, ...storedColumns(delivery), reason }),
  );

const batchMax = 100;
const waitMaxSeconds = 600;

/**
 * Tries to queue up to 100 deliveries of the quarantine, of each order and endpoint only the first.
 * A delivery that the database rejects again is retried after growing waits. A delivery of a
 * deleted or disabled endpoint is removed from the quarantine and not queued.
 */
export const requeueQuarantined = (db: Database): Promise<void> =>
  db.transaction(async (tx) => {
    const rows = await execute(tx, due);
    for (const row of rows) {
      const { position, generation, disabled, ...delivery } = row;
      const ended = generation === null || disabled;
      const rejection = ended
        ? null
        : await tryEnqueue(tx, {
            ...delivery,
            sequence: Number(delivery.sequence),
            replayOf: null,
            generation,
          });
      const { organizationId } = delivery;
      if (rejection !== null) await execute(tx, delayed(organizationId, position, rejection));
      else
        await execute(
          tx,
          tables
            .deleteFrom('quarantined_deliveries')
            .where('organization_id', '=', organizationId)
            .where('position', '=', position),
        );
    }
  });

const delayed = (organizationId: string, position: string, rejection: string) =>
  tables
    .updateTable('quarantined_deliveries')
    .set(({ eb, ref }) => ({
      reason: rejection,
      tries: eb('tries', '+', 1),
      next_try_at: fragment<string>`now()
        + least(${waitMaxSeconds}, 2 ^ least(${ref('tries')}, 20)) * interval '1 second'`,
    }))
    .where('organization_id', '=', organizationId)
    .where('position', '=', position);

/**
 * Selects the first delivery of each order and endpoint in the quarantine, if its next try is due
 * and its organization is not held.
 */
const due = tables
  .selectFrom('quarantined_deliveries as r')
  .leftJoin('endpoints as e', (join) =>
    join.onRef('e.organization_id', '=', 'r.organization_id').onRef('e.id', '=', 'r.endpoint_id'),
  )
  .select(['r.position', 'r.delivery_id as id', 'r.endpoint_id as endpointId'])
  .select(['r.organization_id as organizationId', 'r.order_id as orderId'])
  .select(['r.event_id as eventId', 'r.event', 'r.payload', 'r.sequence'])
  // both columns are null if the endpoint was deleted
  .select(['e.generation', 'e.disabled'])
  .where('r.next_try_at', '<=', fragment<string>`now()`)
  .where(isNotHeld('r.organization_id'))
  .where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('quarantined_deliveries as earlier')
          .whereRef('earlier.organization_id', '=', 'r.organization_id')
          .whereRef('earlier.order_id', '=', 'r.order_id')
          .whereRef('earlier.endpoint_id', '=', 'r.endpoint_id')
          .whereRef('earlier.position', '<', 'r.position'),
      ),
    ),
  )
  .orderBy('r.position')
  .limit(batchMax)
  .forUpdate('r')
  .skipLocked();
