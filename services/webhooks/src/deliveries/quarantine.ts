import {
  execute,
  type Given,
  sqlState,
  statement,
  type Transaction,
  withSavepoint,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { enqueue, type NewDelivery } from '../queue/enqueue.ts';
import { tables } from '../schema/tables.ts';

/**
 * Queues deliveries one by one. A delivery that the database rejects goes to the quarantine, and
 * requeue.ts retries it. Later deliveries of the same order and endpoint also go to the quarantine,
 * so that their sequence is preserved (decision 41).
 * @returns how many were queued.
 */
export const enqueueOrQuarantine = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<number> => {
  const quarantined = await quarantinedStreams(tx, deliveries);
  let queued = 0;
  for (const delivery of deliveries) {
    const stream = streamOf(delivery);
    const rejection = quarantined.has(stream)
      ? 'behind an earlier delivery of its order'
      : await tryEnqueue(tx, delivery);
    if (rejection === null) {
      queued++;
      continue;
    }
    quarantined.add(stream);
    await quarantine(tx, delivery, rejection);
  }
  return queued;
};

/**
 * Queues all deliveries in one statement. If the quarantine has a delivery of the order of one of
 * them, queues them one by one as `enqueueOrQuarantine` does.
 * @returns how many were queued.
 */
export const enqueueAll = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<number> => {
  if ((await quarantinedStreams(tx, deliveries)).size > 0)
    return enqueueOrQuarantine(tx, deliveries);
  await enqueue(tx.pipelined, deliveries);
  return deliveries.length;
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

const selectStreams = statement((given: Given<{ orderIds: readonly string[] }>) =>
  tables
    .selectFrom('refused_deliveries')
    .select(['order_id as orderId', 'endpoint_id as endpointId'])
    .distinct()
    .where(({ eb, fn }) => eb('order_id', '=', fn.any(given.orderIds))),
);

const quarantinedStreams = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<Set<string>> => {
  if (deliveries.length === 0) return new Set();
  const orderIds = [...new Set(deliveries.map(({ orderId }) => orderId))];
  const rows = await selectStreams(tx, { orderIds });
  return new Set(rows.map(streamOf));
};

const quarantine = (tx: Transaction, delivery: NewDelivery, reason: string) =>
  execute(
    tx,
    tables.insertInto('refused_deliveries').values({
      delivery_id: delivery.id,
      endpoint_id: delivery.endpointId,
      organization_id: delivery.organizationId,
      order_id: delivery.orderId,
      event_id: delivery.eventId,
      event: delivery.event,
      payload: Buffer.from(delivery.payload),
      sequence: `${delivery.sequence}`,
      reason,
    }),
  );
