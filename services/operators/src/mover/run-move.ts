import { Failure, toFailure } from '@pto/errors';
import { within } from '@pto/lifecycle';
import {
  hold,
  holding,
  levels,
  movedServices,
  release,
  requireCopy,
  TargetServes,
} from '@pto/moves';
import type { Telemetry } from '@pto/telemetry';
import type { Phase } from '../schema/tables.ts';
import type { CellDatabases, Cells } from './cells.ts';
import { copyAndSwitch, tryOf } from './copy-and-switch.ts';
import { ordersDeletions } from './orders.ts';
import type { Session } from './session.ts';
import { CanceledMove, ChangedMove, endMove, endTry, type Move, storeStep } from './steps.ts';
import { webhooksDeletions } from './webhooks.ts';

/** What a try of a move needs. */
export interface MoveDeps {
  readonly session: Session;
  readonly cells: Cells;
  /** Aborted when the process ends, or when it loses its session. */
  readonly signal: AbortSignal;
  readonly log: Telemetry['log'];
}

/** Failed tries after which a move that has not switched is put back. */
const triesMax = 8;
const pauseMaxMs = 60_000;
/** Pause after a failed release, for which changes of partners wait, in ms. */
const retryReleaseMs = 500;
/**
 * How long the releases of a cell may take, in ms. Changes of partners wait for them, so one that
 * takes longer is sent again soon.
 */
const releaseMs = 1500;

/**
 * How long the source keeps its rows after the switch, in ms: calls that began before it may read
 * them. The longest is GET /locations of the gateway: its request may wait 20 s for a slot
 * (admission.ts), send a body for 10 s (config.ts), and be read for 300 s (locations.ts).
 * The last 10 s are for a gateway that was busy.
 */
export const lateReadsMs = 340_000;

/** Runs a try of a move. One that fails before the switch is put back, and begins again later. */
export const runMove = async (deps: MoveDeps, move: Move): Promise<void> => {
  const { session, log } = deps;
  try {
    await runPhases(deps, move);
  } catch (err) {
    if (session.lost.aborted) throw err;
    const named = { move: move.id, organization: move.organization_id, target: move.target };
    if (err instanceof ChangedMove) {
      log.info({ ...named, err }, 'the try of a move has ended');
      return;
    }
    log.warn({ ...named, err }, 'a move of an organization failed, will be tried again');
    await fail(deps, move, err);
  }
};

const runPhases = async (deps: MoveDeps, taken: Move): Promise<void> => {
  const { session, cells, signal } = deps;
  let move = taken;
  if (move.phase === 'COPYING' || move.phase === 'HOLDING') {
    await rejectServingTarget(deps, move);
    // an earlier try may have ended while it held the source; this one may hold it afterwards
    const earlier = { ...move, token: `${BigInt(move.token) - 1n}` };
    await releaseAll(await cells.of(move.source), earlier);
    if (move.phase === 'HOLDING') move = await storeStep(session, move, { phase: 'COPYING' });
    const ends = {
      session,
      source: await cells.of(move.source),
      target: await cells.of(move.target),
    };
    move = await copyAndSwitch(ends, move, signal);
  }
  if (move.phase === 'SWITCHED') {
    await releaseAll(await cells.of(move.target), move);
    const waits_for = 'calls that began before the switch';
    const step = { phase: 'RETIRING', waits_for, failure: null, tries: 0 } as const;
    return endTry(session, move, step, lateReadsMs);
  }
  if (move.phase === 'RETIRING') {
    await deleteRows(deps, await cells.of(move.source), move, 'held');
    await endMove(session, move, 'MOVED');
  }
  if (move.phase === 'CANCELLING') {
    const target = await cells.of(move.target);
    for (const name of movedServices) await requireCopy(target[name], name, move.organization_id);
    await releaseAll(await cells.of(move.source), move);
    await deleteRows(deps, target, move, 'arriving');
    await endMove(session, move, 'CANCELLED');
  }
};

/** Ends the holds of a cell: of the source of a move that is put back, of the target after the switch. */
const releaseAll = (cell: CellDatabases, move: Move): Promise<void> =>
  within(
    releaseMs,
    'the release',
    (async () => {
      for (const name of movedServices) await release(cell[name], name, tryOf(move));
    })(),
  );

/**
 * Rejects a target that serves, before its source is released: two cells would take changes. In the
 * hold, a target that does not respond keeps the source from nothing.
 * @throws TargetServes
 */
const rejectServingTarget = async ({ cells }: MoveDeps, move: Move): Promise<void> => {
  const check = async () => {
    const target = await cells.of(move.target);
    for (const name of movedServices) await requireCopy(target[name], name, move.organization_id);
  };
  await within(releaseMs, 'the check of the target', check()).catch((error) => {
    if (error instanceof TargetServes || move.phase === 'COPYING') throw error;
  });
};

/**
 * Deletes the organization's rows in a cell that does not serve it, except for the evidence of the
 * ledger. It stays held there.
 */
const deleteRows = async (
  { session, signal }: MoveDeps,
  cell: CellDatabases,
  move: Move,
  as: 'held' | 'arriving',
): Promise<void> => {
  const statements = {
    // the ledger's entries are evidence: neither cell ever deletes them
    custody: [],
    webhooks: webhooksDeletions,
    orders: ordersDeletions(as === 'arriving'),
  };
  for (const name of movedServices) await hold(cell[name], name, tryOf(move), levels[as]);
  for (const name of ['webhooks', 'orders'] as const) {
    const inCell = holding(cell[name], tryOf(move), levels[as]);
    for (const text of statements[name])
      for (let isEmpty = false; !isEmpty; ) {
        signal.throwIfAborted();
        const [row] = await inCell((tx) =>
          tx.query<{ count: number }>(text, [move.organization_id]),
        );
        isEmpty = row!.count === 0;
      }
  }
  await storeStep(session, move, { waits_for: null });
};

/** Failures that a repetition does not change. */
const isFinal = (error: unknown): boolean =>
  error instanceof CanceledMove ||
  (error instanceof Failure && ['VALIDATION', 'ILLEGAL_TRANSITION'].includes(error.kind));

/**
 * Ends a failed try. A move that has not switched gets its source back first, unless its target
 * serves; if that fails, the next try begins with it.
 */
const fail = async (
  { session, cells, signal }: MoveDeps,
  { id, token }: Move,
  error: unknown,
): Promise<void> => {
  const move = await storeStep(session, { id, token });
  const isEnding = signal.aborted;
  const tries = move.tries + (isEnding ? 0 : 1);
  const failure =
    error instanceof CanceledMove
      ? error.message
      : isEnding
        ? move.failure
        : toFailure(error).message;
  const again = (phase: Phase, pauseMs: number, step: object = {}) =>
    endTry(session, move, { failure, tries, phase, ...step }, isEnding ? 0 : pauseMs);
  // all writes wait for the release of the target
  if (move.phase === 'SWITCHED') return again('SWITCHED', retryReleaseMs);
  const pauseMs = Math.min(500 * 2 ** tries, pauseMaxMs);
  if (move.phase === 'RETIRING' || move.phase === 'CANCELLING') return again(move.phase, pauseMs);
  if (move.phase === 'HOLDING' && !(error instanceof TargetServes)) {
    const isReleased = await cells
      .of(move.source)
      .then((source) => releaseAll(source, move))
      .then(
        () => true,
        () => false,
      );
    if (!isReleased) return again('HOLDING', retryReleaseMs);
  }
  if (isFinal(error) || move.cancel_requested || tries >= triesMax)
    return again('CANCELLING', 0, { tries: 0 });
  return again('COPYING', pauseMs);
};
