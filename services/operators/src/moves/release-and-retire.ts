import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { Level } from '@pto/proto/moves/v1/moves';
import { type Bound, type CellServices, movedServices, withinBound } from './cell-services.ts';
import { endMove, type Move, storeStep } from './move-store.ts';

/** The services of both cells of a move. */
export interface Ends {
  readonly source: CellServices;
  readonly target: CellServices;
}

/** Returns the services of both cells whose calls end with the bound. */
export const endsWithin = ({ source, target }: Ends, bound: Bound): Ends => ({
  source: withinBound(source, bound),
  target: withinBound(target, bound),
});

/** What a move needs besides its cells. */
export interface MoveDeps {
  readonly db: Database;
  /** Called after the commit of a switch. */
  readonly changed: () => void;
  readonly signal: AbortSignal;
}

/**
 * How long the source keeps its rows after the switch, in ms: calls that began before it may read
 * them. The longest is GET /locations of the gateway: its request may wait 20 s for a slot
 * (organization-slots.ts), send a body for 10 s (config.ts), and be read for 300 s (locations.ts).
 * The last 10 s are for a gateway that was busy.
 */
export const lateReadsMs = 340_000;

/** How the services name the try of a move. */
export const held = ({ organization_id: organizationId, token }: Move) => ({
  organizationId,
  token: BigInt(token),
});

/**
 * Ends the holds of the source: the organization is served there as before.
 * @param probeId given at the end of a move: orders erases the object of the probe.
 */
export const releaseSource = async ({ source }: Ends, move: Move, probeId = ''): Promise<void> => {
  for (const name of movedServices) await source[name].release({ ...held(move), probeId });
};

/** Ends the holds that tries before have left in the source. This try may hold it afterwards. */
export const releaseEarlier = async (ends: Ends, move: Move): Promise<void> => {
  const before = BigInt(move.token) - 1n;
  // tokens begin with 1
  if (before > 0n) await releaseSource(ends, { ...move, token: `${before}` });
};

/** SWITCHED: ends the holds of the target, which then delivers what is due. */
export const releaseTarget = async (db: Database, { target }: Ends, move: Move): Promise<Move> => {
  for (const name of movedServices) await target[name].release(held(move));
  return storeStep(db, move, {
    phase: 'RETIRING',
    waits_for: 'calls that began before the switch',
  });
};

/** RETIRING: deletes the rows of the source. */
export const retireSource = async (deps: MoveDeps, { source }: Ends, move: Move): Promise<void> => {
  await retire(deps, source, move);
  await endMove(deps.db, move, 'MOVED');
};

/** Tables of orders whose rows stay in a source that serves: no copy has more of them. */
const lasting = ['orders', 'produced_events'] as const;

/**
 * Requires that the target has a copy and nothing else, before its rows are replaced or deleted. A
 * database `access` that was restored to an earlier time contains moves that have switched since:
 * then the target has the organization's only rows, or newer ones.
 * @throws Failure INTERNAL if the target has more rows than the source.
 */
export const requireCopy = async ({ source, target }: Ends, move: Move): Promise<void> => {
  const { organization_id: organizationId } = move;
  // in this order: the source may serve, and get rows meanwhile
  const { rows: copied } = await target.orders.count({ organizationId });
  const { rows } = await source.orders.count({ organizationId });
  for (const table of lasting)
    if ((copied[table] ?? 0n) > (rows[table] ?? 0n))
      throw new Failure(
        'INTERNAL',
        `orders: ${table} has ${copied[table]} rows in ${move.target} and ${rows[table] ?? 0n} in ${move.source}, so ${move.target} has more than a copy. Nothing was deleted. Check whether the database access was restored to a time before the switch.`,
      );
};

/** CANCELLING: the source serves as before, and the target deletes its rows. */
export const putBack = async (deps: MoveDeps, ends: Ends, move: Move): Promise<void> => {
  await requireCopy(ends, move);
  await releaseSource(ends, move, move.id);
  await retire(deps, ends.target, move);
  await endMove(deps.db, move, 'CANCELLED');
};

const retire = async ({ db, signal }: MoveDeps, cell: CellServices, move: Move): Promise<void> => {
  for (const name of ['webhooks', 'orders', 'custody'] as const) {
    await cell[name].hold({ ...held(move), level: Level.WRITES });
    while ((await cell[name].retire({ ...held(move), probeId: move.id })).more) {
      signal.throwIfAborted();
      await storeStep(db, move, { waits_for: null });
    }
  }
};
