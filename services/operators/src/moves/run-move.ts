import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { Level } from '@pto/proto/moves/v1/moves';
import { type CellServices, type MovedService, movedServices } from './cell-services.ts';
import { copyOnce, type Marks, readMarks } from './copy.ts';
import {
  ageMs,
  CanceledMove,
  canceled,
  type Move,
  storeStep,
  storeStepUnlessCanceled,
  switchCell,
} from './move-store.ts';
import { type Ends, endsWithin, held, type MoveDeps, requireCopy } from './release-and-retire.ts';

/**
 * A gateway looks up the cell of each request when it knows that the organization moves: within 4 s
 * (key-lookup.ts of the gateway). No switch comes before this age of the move, in ms.
 */
const gatewaysKnowMs = 6000;
/** A copy that takes no longer is followed by the hold, in ms. */
const shortCopyMs = 1500;
/**
 * A copy that takes more than this part of the time of the one before is followed by the hold, too:
 * what changes meanwhile takes as long. The hold is put back if the last copy takes too long.
 */
const shorter = 0.8;
/**
 * How long partners' changes may wait, in ms. They have 9.75 s (routes of the gateway), of which
 * 1.75 s remain for the release of a hold that is put back.
 */
const holdMaxMs = 8000;
/**
 * Greatest time of the last copy before the hold, in ms: that in the hold takes as long, because
 * webhooks copies all queued deliveries each time. The other 3 s of a hold are for events on their
 * way, the target's checkpoint and the counts.
 */
const lastCopyMaxMs = 5000;
/** How long deliveries in flight may take to end: an attempt has 10 s. */
const deliveriesMaxMs = 30_000;
const pollMs = 50;

/**
 * COPYING: copies until a copy is short, then holds, copies the rest and switches.
 * @returns the move after the switch.
 * @throws what a service threw; LostMove, CanceledMove; Failure DEADLINE_EXCEEDED if the hold takes
 *   too long, or the last copy before it: the caller puts the hold back.
 */
export const copyAndSwitch = async (deps: MoveDeps, cells: Ends, begun: Move): Promise<Move> => {
  const { db, signal } = deps;
  if (begun.cancel_requested) throw new CanceledMove(canceled);
  const ends = endsWithin(cells, { signal });
  let move = await prepare(db, ends, begun);
  let marks: Marks = JSON.parse(move.marks);
  const stored = async (rows: number) => {
    signal.throwIfAborted();
    await storeStepUnlessCanceled(db, begun, {}, rows);
  };
  const copy = async (between: Ends) => {
    const started = performance.now();
    marks = await copyOnce(between, { ...held(begun), since: marks }, stored);
    move = await storeStep(db, begun, { marks: JSON.stringify(marks), copies: move.copies + 1 });
    return performance.now() - started;
  };
  let [before, took] = [Number.POSITIVE_INFINITY, await copy(ends)];
  while (took > shortCopyMs && took < before * shorter) [before, took] = [took, await copy(ends)];
  requireFits(took);
  await sleep(Math.max(0, gatewaysKnowMs - (await ageMs(db, begun))), undefined, { signal });
  const waits = waiting(deps, begun);
  await storeStepUnlessCanceled(db, begun, { phase: 'HOLDING', waits_for: null });
  await waits(ends.source, 'webhooks', Level.WORK, performance.now() + deliveriesMaxMs);
  requireFits(await copy(ends));
  await storeStepUnlessCanceled(db, begun, { waits_for: null });
  const holdBegan = performance.now();
  const until = holdBegan + holdMaxMs;
  const inHold = endsWithin(cells, { deadline: until, signal });
  for (const name of ['orders', 'custody', 'webhooks'] as const)
    await waits(inHold.source, name, Level.WRITES, until);
  await copy(inHold);
  await waits(inHold.target, 'custody', Level.ARRIVING, until);
  await requireEqual(db, inHold, begun);
  if (performance.now() > until) throw tooLong();
  const switched = await switchCell(db, begun, performance.now() - holdBegan);
  deps.changed();
  return switched;
};

/** @throws Failure DEADLINE_EXCEEDED for a copy that would take longer in the hold than fits */
const requireFits = (tookMs: number): void => {
  if (tookMs <= lastCopyMaxMs) return;
  const [took, most] = [tookMs, lastCopyMaxMs].map((ms) => (ms / 1000).toFixed(1));
  throw new Failure(
    'DEADLINE_EXCEEDED',
    `The last copy before the hold took ${took} s, and a hold has room for one of ${most} s. Move the organization when fewer deliveries are queued and fewer orders change.`,
  );
};

/** Compares the cells and holds the organization in the target, so that rows can be imported. */
const prepare = async (db: Database, ends: Ends, move: Move): Promise<Move> => {
  await requireCopy(ends, move);
  const { source, target } = ends;
  const { organization_id: organizationId } = move;
  const [from, to] = await Promise.all([
    readMarks(source, organizationId, move.id),
    readMarks(target, organizationId),
  ]);
  for (const name of movedServices) {
    if (from[name].schema !== to[name].schema)
      throw new Failure(
        'VALIDATION',
        `The cells run different releases: ${name} has the schema ${from[name].schema} in ${move.source} and ${to[name].schema} in ${move.target}. Upgrade both, then start the move again.`,
      );
    const { probe } = from[name];
    await target[name].hold({ ...held(move), level: Level.ARRIVING, probe });
  }
  return storeStepUnlessCanceled(db, move, { waits_for: null });
};

/**
 * Returns a function that raises the level of a service until nothing remains that must end first.
 * @throws Failure DEADLINE_EXCEEDED with what remains
 */
const waiting =
  ({ db, signal }: MoveDeps, move: Move) =>
  async (cell: CellServices, name: MovedService, level: Level, until: number): Promise<void> => {
    let mark = '';
    for (let shown = ''; ; ) {
      const { remaining, waitsFor, ...response } = await cell[name]
        .hold({ ...held(move), level, mark })
        .catch((error) => {
          // a call at the end of the wait has little time: what was waited for is the reason
          const isLate = error instanceof Failure && error.kind === 'DEADLINE_EXCEEDED';
          throw isLate && shown !== '' ? tooLong(shown) : error;
        });
      if (remaining === 0n) return;
      mark = response.mark;
      const what = `${name}: ${remaining} ${waitsFor}`;
      if (performance.now() > until) throw tooLong(what);
      if (what !== shown) await storeStep(db, move, { waits_for: what });
      shown = what;
      await sleep(pollMs, undefined, { signal });
    }
  };

const tooLong = (what?: string): Failure =>
  new Failure(
    'DEADLINE_EXCEEDED',
    what === undefined
      ? 'The last copy took too long.'
      : `The wait before the last copy took too long (${what}).`,
  );

/**
 * Requires that the services have the same numbers of rows in both cells. If they differ, the next try
 * copies all rows again: the later copies have missed some.
 * @throws Failure INTERNAL
 */
const requireEqual = async (db: Database, { source, target }: Ends, move: Move): Promise<void> => {
  const { organization_id: organizationId } = move;
  await Promise.all(
    movedServices.map(async (name) => {
      const [from, to] = await Promise.all(
        [source, target].map((cell) => cell[name].count({ organizationId })),
      );
      for (const [table, count] of Object.entries(from!.rows))
        if (to!.rows[table] !== count) {
          await storeStep(db, move, { marks: '{}' });
          throw new Failure(
            'INTERNAL',
            `${name}: ${table} has ${count} rows in ${move.source} and ${to!.rows[table]} in ${move.target}.`,
          );
        }
    }),
  );
};
