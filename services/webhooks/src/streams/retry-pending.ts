import { execute, firstUuidv7, fragment, type Transaction, uuidv7Millis } from '@pto/database';
import { type Endpoint, tables } from '../schema/entities.ts';

/**
 * Makes the deliveries of an endpoint due that wait for a retry, under their ids (decision 61): those
 * that were queued in a time span, oldest first, at most `most`. A delivery under attempt stays as it
 * is, and so does one whose lease was lost: its pause protects the processes.
 * @param span milliseconds since the epoch, `fromMs` included, `untilMs` excluded. `orderId`: only
 *   deliveries of this order; empty: of all.
 * @returns their number, and when the last one was queued if there may be more; else null.
 */
export const retryPending = async (
  tx: Transaction,
  { id, organization_id: organizationId, generation }: Endpoint,
  span: { fromMs: number; untilMs: number; most: number; orderId: string },
): Promise<{ retried: number; moreFromMs: number | null }> => {
  const { fromMs, untilMs, most, orderId } = span;
  const made = tables
    .with(
      // materialized: a plan after outdated statistics of the queue must not run it twice
      (cte) => cte('waiting').materialized(),
      (db) =>
        db
          .selectFrom('pending_deliveries')
          .select('delivery_id')
          .where('organization_id', '=', organizationId)
          .where('delivery_id', '>=', firstUuidv7(fromMs))
          .where('delivery_id', '<', firstUuidv7(untilMs))
          .where('endpoint_id', '=', id)
          .where('generation', '=', generation)
          .$if(orderId !== '', (rows) => rows.where('order_id', '=', orderId))
          .where('lease_until', 'is', null)
          .where('due_at', '>', fragment<string>`now()`)
          .orderBy('delivery_id')
          .limit(most)
          // a recorder holds rows and waits for the endpoint, which the caller has locked
          .forUpdate()
          .skipLocked(),
    )
    .updateTable('pending_deliveries as p')
    .from('waiting as w')
    .set({ due_at: fragment<string>`now()` })
    .where('p.organization_id', '=', organizationId)
    .whereRef('p.delivery_id', '=', 'w.delivery_id')
    .returning('p.delivery_id as deliveryId');
  const ids = (await execute(tx, made)).map(({ deliveryId }) => deliveryId).sort();
  const last = ids.length < most ? undefined : ids.at(-1);
  return { retried: ids.length, moreFromMs: last === undefined ? null : uuidv7Millis(last) };
};
