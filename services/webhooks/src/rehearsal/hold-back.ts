import { bulkStatement, fragment, type Sql } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { heldBack, type Queued, type Rehearsal } from './rehearsal.ts';

const inMs = (ms: unknown) => fragment<string>`now() + ${ms} * interval '1 ms'`;

/** A delivery that is `tried` delays no later one of its order (decision 41). */
const hold = bulkStatement(
  {
    organization_id: 'uuid',
    delivery_id: 'uuid',
    endpoint_id: 'uuid',
    wait_ms: 'float8',
    is_overtaken: 'bool',
  },
  (rows) =>
    tables
      .updateTable('pending_deliveries as p')
      .from(rows('h'))
      .innerJoin('endpoints as e', (join) =>
        join
          .onRef('e.organization_id', '=', 'h.organization_id')
          .onRef('e.id', '=', 'h.endpoint_id'),
      )
      .set(({ ref }) => ({
        due_at: fragment<string>`least(${inMs(ref('h.wait_ms'))}, ${ref('e.rehearsal_ends_at')})`,
        tried: ref('h.is_overtaken'),
      }))
      .whereRef('p.organization_id', '=', 'h.organization_id')
      .whereRef('p.delivery_id', '=', 'h.delivery_id'),
);

/** A delivery without an attempt that counts as tried is one that waits for its successor. */
const released = { organization_id: 'uuid', endpoint_id: 'uuid', wait_ms: 'float8' } as const;

const release = bulkStatement(released, (rows) =>
  tables
    .updateTable('pending_deliveries as p')
    .from(rows('r'))
    .set(({ ref }) => ({ due_at: inMs(ref('r.wait_ms')) }))
    .whereRef('p.organization_id', '=', 'r.organization_id')
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
      releases.map((one) => ({
        organization_id: one.organizationId,
        endpoint_id: one.endpointId,
        wait_ms: one.waitMs,
      })),
    );
  if (holds.length > 0)
    await hold(
      tx,
      holds.map((one) => ({
        organization_id: one.organizationId,
        delivery_id: one.deliveryId,
        endpoint_id: one.endpointId,
        wait_ms: one.waitMs,
        is_overtaken: one.isOvertaken,
      })),
    );
};
