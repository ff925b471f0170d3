import {
  type ArrayOf,
  anyOf,
  execute,
  type Given,
  type Sql,
  sqlState,
  statement,
  type Transaction,
  withSavepoint,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/entities.ts';
import { enqueue, type NewDelivery, storedColumns } from './enqueue.ts';

/**
 * Queues deliveries.
 * @param quarantined the result of `quarantinedStreams` for their orders.
 */
export type QueueDeliveries = (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
  quarantined: ReadonlySet<string>,
) => Promise<void>;

/**
 * Queues deliveries one by one. A delivery that the database rejects goes to the quarantine, and
 * requeue.ts retries it. Later deliveries of the same order and endpoint also go to the quarantine,
 * so that their sequence is preserved (decision 41).
 */
export const enqueueOrQuarantine: QueueDeliveries = async (tx, deliveries, given) => {
  const quarantined = new Set(given);
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
 * Queues all deliveries at once. If the quarantine has a delivery of the order of one of
 * them, queues them one by one as `enqueueOrQuarantine` does.
 */
export const enqueueAll: QueueDeliveries = async (tx, deliveries, quarantined) => {
  if (deliveries.some((delivery) => quarantined.has(streamOf(delivery))))
    return enqueueOrQuarantine(tx, deliveries, quarantined);
  await enqueue(tx.pipelined, deliveries);
};

/**
 * Queues one delivery within a savepoint.
 * @returns why the database rejected the row, or null if it is queued.
 * @throws errors that the row did not cause, such as a lost connection.
 */
export const tryEnqueue = async (
  tx: Transaction,
  delivery: NewDelivery,
): Promise<string | null> => {
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

const selectStreams = statement((given: Given<{ orderIds: ArrayOf<string> }>) =>
  tables
    .selectFrom('quarantined_deliveries')
    .select(['order_id as orderId', 'endpoint_id as endpointId'])
    .distinct()
    .where('order_id', '=', anyOf(given.orderIds, 'uuid')),
);

/** Returns the orders and endpoints whose deliveries are in the quarantine, of these orders. */
export const quarantinedStreams = async (
  sql: Sql,
  orderIds: ReadonlySet<string>,
): Promise<Set<string>> => {
  const rows = await selectStreams(sql, { orderIds: [...orderIds] });
  return new Set(rows.map(streamOf));
};

const quarantine = (tx: Transaction, delivery: NewDelivery, reason: string) =>
  execute(
    tx,
    tables
      .insertInto('quarantined_deliveries')
      .values({ delivery_id: delivery.id, ...storedColumns(delivery), reason }),
  );
