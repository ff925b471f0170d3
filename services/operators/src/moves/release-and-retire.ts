import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { Level } from '@pto/proto/moves/v1/moves';
import {
  type Bound,
  type CellServices,
  type MovedService,
  movedServices,
  withinBound,
} from './cell-services.ts';
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
 * How long the releases of a cell may take, in ms. Changes of partners wait for them, so one that
 * takes longer is sent again soon, perhaps to another replica.
 */
const releaseMs = 1500;

const release = async (
  cell: CellServices,
  move: Move,
  signal: AbortSignal,
  probeId = '',
): Promise<void> => {
  const services = withinBound(cell, { deadline: performance.now() + releaseMs, signal });
  for (const name of movedServices) await services[name].release({ ...held(move), probeId });
};

/**
 * Ends the holds of the source: the organization is served there as before.
 * @param probeId given at the end of a move: orders erases the object of the probe.
 */
export const releaseSource = async (
  { source }: Ends,
  move: Move,
  signal: AbortSignal,
  probeId = '',
): Promise<void> => release(source, move, signal, probeId);

/** Ends the holds that tries before have left in the source. This try may hold it afterwards. */
export const releaseEarlier = async (
  ends: Ends,
  move: Move,
  signal: AbortSignal,
): Promise<void> => {
  const before = BigInt(move.token) - 1n;
  // tokens begin with 1
  if (before > 0n) await releaseSource(ends, { ...move, token: `${before}` }, signal);
};

/** SWITCHED: ends the holds of the target, which then delivers what is due. */
export const releaseTarget = async (
  { db, signal }: MoveDeps,
  { target }: Ends,
  move: Move,
): Promise<Move> => {
  await release(target, move, signal);
  return storeStep(db, move, {
    phase: 'RETIRING',
    waits_for: 'calls that began before the switch',
    ...{ failure: null, tries: 0 },
  });
};

/** RETIRING: deletes the rows of the source. */
export const retireSource = async (deps: MoveDeps, { source }: Ends, move: Move): Promise<void> => {
  await retire(deps, source, move);
  await endMove(deps.db, move, 'MOVED');
};

/** Thrown for a target that serves the organization: nothing of it may be replaced or deleted. */
export class TargetServes extends Failure {
  constructor(name: MovedService, target: string) {
    super(
      'INTERNAL',
      `${name}: ${target} has rows of the organization and no move holds them, so it has more than a copy. The move changed no row. Check whether the database access was restored to a time before the switch.`,
    );
  }
}

/**
 * Requires that the target has no rows but those of a copy, which it holds. A database `access` that
 * was restored to an earlier time contains moves that have switched since: then the target serves.
 * @throws TargetServes
 */
export const requireCopy = async ({ target }: Pick<Ends, 'target'>, move: Move): Promise<void> => {
  const request = { organizationId: move.organization_id };
  for (const name of movedServices)
    if ((await target[name].serves(request)).serves) throw new TargetServes(name, move.target);
};

/**
 * Rejects a target that is known to serve, before its source is released: two cells would take
 * changes. A target that does not respond keeps the source from nothing.
 * @throws TargetServes
 */
export const rejectServingTarget = async (
  ends: Ends,
  move: Move,
  signal: AbortSignal,
): Promise<void> => {
  try {
    const bound = { deadline: performance.now() + releaseMs, signal };
    await requireCopy({ target: withinBound(ends.target, bound) }, move);
  } catch (error) {
    if (error instanceof TargetServes) throw error;
    signal.throwIfAborted();
  }
};

/** CANCELLING: the source serves as before, and the target deletes its rows. */
export const putBack = async (deps: MoveDeps, ends: Ends, move: Move): Promise<void> => {
  await requireCopy(ends, move);
  await releaseSource(ends, move, deps.signal, move.id);
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
