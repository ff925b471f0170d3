import type { Database } from '@pto/database';
import { Failure, toFailure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import type { Phase } from '../schema/tables.ts';
import type { CellServices } from './cell-services.ts';
import { CanceledMove, endTry, LostMove, type Move, storeStep, takeMove } from './move-store.ts';
import {
  type Ends,
  lateReadsMs,
  type MoveDeps,
  putBack,
  rejectServingTarget,
  releaseEarlier,
  releaseSource,
  releaseTarget,
  retireSource,
  TargetServes,
} from './release-and-retire.ts';
import { copyAndSwitch } from './run-move.ts';

const idleMs = 1000;
/** Failed tries after which a move that has not switched is put back. */
const triesMax = 8;
const pauseMaxMs = 60_000;
/** Pause after a failed release, for which changes of partners wait, in ms. */
const retryReleaseMs = 500;

/** Phases in which changes of partners may wait for the next step, and the others. */
const phases: readonly (readonly Phase[])[] = [
  ['HOLDING', 'SWITCHED'],
  ['COPYING', 'RETIRING', 'CANCELLING'],
];

/**
 * Runs the moves of organizations: one at a time in each process, and beside it the end of a hold
 * that a failed try or a killed process has left. A move that fails or whose process ends is tried
 * again: before the switch from the copy on, afterwards from its phase on.
 */
export const startMover = (
  db: Database,
  cells: ReadonlyMap<string, CellServices>,
  changed: () => void,
  telemetry: Telemetry,
): Pick<Worker, 'wake' | 'stop'> => {
  const workers = phases.map((ofWorker) =>
    startWorker({
      tick: async (signal) => {
        const move = await takeMove(db, ofWorker);
        if (!move) return idleMs;
        await runMove({ db, changed, signal }, cells, move, telemetry);
        return 0;
      },
      failed: (err) => {
        telemetry.log.warn({ err }, 'moves of organizations cannot be read');
        return idleMs;
      },
    }),
  );
  return {
    wake: () => {
      for (const worker of workers) worker.wake();
    },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
    },
  };
};

/** Time between two extensions of the lease, in ms. */
const keepMs = 1500;

const runMove = async (
  { db, changed, signal }: MoveDeps,
  cells: ReadonlyMap<string, CellServices>,
  move: Move,
  { log }: Telemetry,
): Promise<void> => {
  const lost = new AbortController();
  const keep = setInterval(() => {
    storeStep(db, move).catch((error) => {
      if (error instanceof LostMove) lost.abort(error);
    });
  }, keepMs);
  const deps = { db, changed, signal: AbortSignal.any([signal, lost.signal]) };
  const named = { move: move.id, organization: move.organization_id, target: move.target };
  try {
    await runPhases(deps, endsOf(cells, move), move).catch(async (err) => {
      if (err instanceof LostMove || lost.signal.aborted) throw err;
      log.warn({ ...named, err }, 'a move of an organization failed, will be tried again');
      await fail({ ...deps, signal }, cells, move, err);
    });
  } catch (error) {
    if (!(error instanceof LostMove || lost.signal.aborted)) throw error;
    log.info(named, 'the try of a move has ended, or another process runs the move');
  } finally {
    clearInterval(keep);
  }
};

/** Returns the cells of a move. Each throws Failure SERVICE_UNAVAILABLE if the settings lack it. */
const endsOf = (cells: ReadonlyMap<string, CellServices>, { source, target }: Move): Ends => {
  const named = (cell: string): CellServices => {
    const services = cells.get(cell);
    if (services) return services;
    throw new Failure('SERVICE_UNAVAILABLE', `The settings name no cell ${cell}.`);
  };
  return {
    get source() {
      return named(source);
    },
    get target() {
      return named(target);
    },
  };
};

const runPhases = async (deps: MoveDeps, ends: Ends, taken: Move): Promise<void> => {
  const { db, signal } = deps;
  let move = taken;
  if (move.phase === 'COPYING' || move.phase === 'HOLDING') {
    await rejectServingTarget(ends, move, signal);
    // the try before may have ended while it held the source
    await releaseEarlier(ends, move, signal);
    if (move.phase === 'HOLDING') return endTry(db, move, { phase: 'COPYING' }, 0);
    move = await copyAndSwitch(deps, ends, move);
  }
  if (move.phase === 'SWITCHED') {
    move = await releaseTarget(deps, ends, move);
    return endTry(db, move, {}, lateReadsMs);
  }
  if (move.phase === 'RETIRING') await retireSource(deps, ends, move);
  if (move.phase === 'CANCELLING') await putBack(deps, ends, move);
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
  { db, signal }: MoveDeps,
  cells: ReadonlyMap<string, CellServices>,
  { id, token }: Move,
  error: unknown,
): Promise<void> => {
  const move = await storeStep(db, { id, token });
  // this process ends; another one continues at once
  if (signal.aborted) return endTry(db, move, {}, 0);
  const tries = move.tries + 1;
  const failure = error instanceof CanceledMove ? error.message : toFailure(error).message;
  // all writes wait for the release of the target
  if (move.phase === 'SWITCHED') return endTry(db, move, { failure, tries }, retryReleaseMs);
  const pauseMs = Math.min(500 * 2 ** tries, pauseMaxMs);
  if (move.switched_at !== null || move.phase === 'CANCELLING')
    return endTry(db, move, { failure, tries }, pauseMs);
  const isDone =
    error instanceof TargetServes ||
    (await releaseSource(endsOf(cells, move), move, signal).then(
      () => true,
      () => false,
    ));
  if (!isDone) return endTry(db, move, { failure, tries }, retryReleaseMs);
  if (isFinal(error) || move.cancel_requested || tries >= triesMax)
    return endTry(db, move, { failure, tries: 0, phase: 'CANCELLING' }, 0);
  return endTry(db, move, { failure, tries, phase: 'COPYING' }, pauseMs);
};
