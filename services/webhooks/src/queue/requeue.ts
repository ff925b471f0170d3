import { type Database, execute, fragment } from '@pto/database';
import { Gauge, type Telemetry } from '@pto/telemetry';
import { tables } from '../schema/entities.ts';
import { tryEnqueue } from './quarantine.ts';

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
      const quarantined = tables.deleteFrom('quarantined_deliveries');
      if (rejection === null) await execute(tx, quarantined.where('position', '=', position));
      else await execute(tx, delayed(position, rejection));
    }
  });

const delayed = (position: string, rejection: string) =>
  tables
    .updateTable('quarantined_deliveries')
    .set(({ eb, ref }) => ({
      reason: rejection,
      tries: eb('tries', '+', 1),
      next_try_at: fragment<string>`now()
        + least(${waitMaxSeconds}, 2 ^ least(${ref('tries')}, 20)) * interval '1 second'`,
    }))
    .where('position', '=', position);

/**
 * Selects the first delivery of each order and endpoint in the quarantine, if its next try is due.
 */
const due = tables
  .selectFrom('quarantined_deliveries as r')
  .leftJoin('endpoints as e', 'e.id', 'r.endpoint_id')
  .select(['r.position', 'r.delivery_id as id', 'r.endpoint_id as endpointId'])
  .select(['r.organization_id as organizationId', 'r.order_id as orderId'])
  .select(['r.event_id as eventId', 'r.event', 'r.payload', 'r.sequence'])
  // both columns are null if the endpoint was deleted
  .select(['e.generation', 'e.disabled'])
  .where('r.next_try_at', '<=', fragment<string>`now()`)
  .where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('quarantined_deliveries as earlier')
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

/** Registers the gauge of deliveries in the quarantine. */
export const observeQuarantine = (db: Database, telemetry: Telemetry): void => {
  new Gauge({
    name: 'webhook_refused_deliveries',
    help: 'Deliveries in the quarantine: the database rejected them; queueing is retried',
    registers: [telemetry.metrics],
    async collect() {
      this.reset(); // no value during an outage of the database: a stale one would hide it
      const count = execute(db, quarantineSize);
      const [row] = await count.catch(() => []);
      if (row) this.set(row.count);
    },
  });
};

const quarantineSize = tables
  .selectFrom('quarantined_deliveries')
  .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'));
