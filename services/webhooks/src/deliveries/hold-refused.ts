import { sqlState, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { enqueue, type NewDelivery } from './enqueue.ts';

/**
 * Queues deliveries one by one, so that one that the database refuses costs no other anything: it
 * is held, and tried again until it is taken (release-refused.ts). Behind one that is held wait the
 * later ones of the same order on the same endpoint, in their order (decision 41).
 * @returns how many were queued.
 */
export const enqueueOrHold = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<number> => {
  const held = await heldStreams(tx, deliveries);
  let queued = 0;
  for (const delivery of deliveries) {
    const stream = streamOf(delivery);
    const refusal = held.has(stream) ? 'behind one that is held' : await refused(tx, delivery);
    if (refusal === null) {
      queued++;
      continue;
    }
    held.add(stream);
    await hold(tx, delivery, refusal);
  }
  return queued;
};

/** Queues all in one statement, unless one of them has to wait behind another. */
export const enqueueAll = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<number> => {
  if ((await heldStreams(tx, deliveries)).size > 0) return enqueueOrHold(tx, deliveries);
  await enqueue(tx, deliveries);
  return deliveries.length;
};

/** Why the database does not take it, or null when it has. @throws what is no refusal of the row. */
export const refused = async (tx: Transaction, delivery: NewDelivery): Promise<string | null> => {
  await tx.query('savepoint delivery');
  try {
    await enqueue(tx, [delivery]);
    await tx.query('release savepoint delivery');
    return null;
  } catch (error) {
    if (error instanceof Failure || !isOfTheRow(sqlState(error))) throw error;
    await tx.query('rollback to savepoint delivery');
    return (error as Error).message.slice(0, 500);
  }
};

/** Not a lost connection, nor a transaction that was undone and will be tried again. */
const isOfTheRow = (state: string | undefined): boolean =>
  state !== undefined && !/^(08|40|53|57)/.test(state);

const streamOf = (of: { orderId: string; endpointId: string }) => `${of.orderId} ${of.endpointId}`;

const heldStreams = async (
  tx: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<Set<string>> => {
  if (deliveries.length === 0) return new Set();
  const rows = await tx.query<{ orderId: string; endpointId: string }>(
    `select distinct order_id as "orderId", endpoint_id as "endpointId"
     from refused_deliveries where order_id = any ($1::uuid[])`,
    [[...new Set(deliveries.map(({ orderId }) => orderId))]],
  );
  return new Set(rows.map(streamOf));
};

const hold = (tx: Transaction, delivery: NewDelivery, reason: string) =>
  tx.query(
    `insert into refused_deliveries (delivery_id, endpoint_id, organization_id, order_id, event_id,
       event, payload, sequence, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      delivery.id,
      delivery.endpointId,
      delivery.organizationId,
      delivery.orderId,
      delivery.eventId,
      delivery.event,
      Buffer.from(delivery.payload),
      delivery.sequence,
      reason,
    ],
  );
