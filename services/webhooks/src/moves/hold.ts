import type { Bus } from '@pto/bus';
import { type Database, execute, fragment, type Transaction } from '@pto/database';
import { type Held, holdOrganization, releaseOrganization } from '@pto/moves';
import { Level } from '@pto/proto/moves/v1/moves';
import { lockEndpointsOf } from '../endpoints/lock-endpoints.ts';
import { tables } from '../schema/entities.ts';
import { attemptsInFlight, noteEnds, parkedEvents, unhandledEvents, type Wait } from './waits.ts';

/**
 * Holds an organization and pauses its endpoints, also those that were created since the call
 * before. Returns what must end before the last copy.
 * @param mark of the call before at the same level; '' in the first one. From WRITES on, the
 *   events that custody had announced at the first call are waited for.
 * @throws Failure ILLEGAL_TRANSITION if a later token holds the organization.
 */
export const hold = async (
  { db, bus }: { readonly db: Database; readonly bus: Bus },
  held: Held,
  level: Level,
  mark: string,
): Promise<{ waits: Wait[]; mark: string }> => {
  const { organizationId } = held;
  await db.transaction(async (tx) => {
    await lockChanges(tx, organizationId);
    await holdOrganization(tx, held, level);
    await pause(tx, organizationId, true);
  });
  if (level === Level.ARRIVING) return { waits: [], mark: '' };
  const inFlight = await attemptsInFlight(db, organizationId);
  if (level === Level.WORK) return { waits: [inFlight], mark: '' };
  const ends = mark === '' ? await noteEnds(bus) : mark;
  // in this order: an event that is handled is queued or parked
  const unhandled = await unhandledEvents(bus, ends);
  const parked = await parkedEvents(db, organizationId);
  return { waits: [inFlight, unhandled, parked], mark: ends };
};

/**
 * Ends the hold: deliveries begin or continue. A creation whose response is not stored is continued
 * by a repetition at once, because the request that would have stored it was rejected.
 * @throws Failure ILLEGAL_TRANSITION if a later token holds the organization.
 */
export const release = (db: Database, held: Held): Promise<void> =>
  db.transaction(async (tx) => {
    const { organizationId } = held;
    await lockChanges(tx, organizationId);
    await releaseOrganization(tx, held);
    await pause(tx, organizationId, false);
    await execute(
      tx,
      tables
        .updateTable('endpoint_creations')
        .set({ finish_by: fragment<string>`now()` })
        .where('organization_id', '=', organizationId)
        .where('response', 'is', null),
    );
  });

/**
 * Locks what changes of endpoints lock: a change has ended before, or finds the organization held.
 * `for update` of the endpoints waits for claims, too.
 */
const lockChanges = async (tx: Transaction, organizationId: string): Promise<void> => {
  await lockEndpointsOf(tx, organizationId);
  await execute(
    tx,
    tables
      .selectFrom('endpoints')
      .select('id')
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .forUpdate(),
  );
  await execute(
    tx,
    tables
      .selectFrom('endpoint_creations')
      .select('endpoint_id')
      .where('organization_id', '=', organizationId)
      .orderBy('endpoint_id')
      .forUpdate(),
  );
};

const pause = (tx: Transaction, organizationId: string, paused: boolean) =>
  execute(
    tx,
    tables
      .updateTable('endpoints')
      .set({ paused })
      .where('organization_id', '=', organizationId)
      .where('paused', '<>', paused),
  );
