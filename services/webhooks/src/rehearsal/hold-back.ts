import { fragment, overRows, type Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { heldBack, type Queued, type Rehearsal } from './rehearsal.ts';

const inMs = (ms: unknown) => fragment<string>`now() + ${ms} * interval '1 ms'`;

/** A delivery that is `tried` delays no later one of its order (decision 41). */
const hold = overRows(
  { delivery_id: 'uuid', endpoint_id: 'uuid', wait_ms: 'float8', is_overtaken: 'bool' },
  (rows) =>
    tables
      .updateTable('pending_deliveries as p')
      .from(rows('h'))
      .innerJoin('endpoints as e', 'e.id', 'h.endpoint_id')
      .set(({ ref }) => ({
        due_at: fragment<string>`least(${inMs(ref('h.wait_ms'))}, ${ref('e.rehearsal_ends_at')})`,
        tried: ref('h.is_overtaken'),
      }))
      .whereRef('p.delivery_id', '=', 'h.delivery_id'),
);

/** A delivery without an attempt that counts as tried is one that waits for its successor. */
const release = overRows({ endpoint_id: 'uuid', wait_ms: 'float8' }, (rows) =>
  tables
    .updateTable('pending_deliveries as p')
    .from(rows('r'))
    .set(({ ref }) => ({ due_at: inMs(ref('r.wait_ms')) }))
    .whereRef('p.endpoint_id', '=', 'r.endpoint_id')
    .where(({ eb, ref }) => eb('p.due_at', '>', inMs(ref('r.wait_ms'))))
    .where('p.attempts', '=', 0)
    .where('p.tried', '=', true),
);

/**
 * Postpones what the faults `late` and `reorder` of a rehearsal hold back, at most until the
 * rehearsal ends. Runs in the transaction that queues the deliveries, so that no claim sees them
 * before. Without rehearsals there is no statement.
 */
export const holdBack = async (
  tx: Sql,
  queued: readonly Queued[],
  rehearsals: ReadonlyMap<string, Rehearsal>,
): Promise<void> => {
  if (rehearsals.size === 0) return;
  const { holds, releases } = heldBack(queued, rehearsals);
  if (releases.length > 0)
    await release(
      tx,
      releases.map((one) => ({ endpoint_id: one.endpointId, wait_ms: one.waitMs })),
    );
  if (holds.length > 0)
    await hold(
      tx,
      holds.map((one) => ({
        delivery_id: one.deliveryId,
        endpoint_id: one.endpointId,
        wait_ms: one.waitMs,
        is_overtaken: one.isOvertaken,
      })),
    );
};
