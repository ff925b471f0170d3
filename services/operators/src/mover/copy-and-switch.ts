import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { hold, holding, levels, type MovedService, movedServices, requireCopy } from '@pto/moves';
import type { CellDatabases } from './cells.ts';
import { compareCells, keepMsOf } from './compare-cells.ts';
import { compareLedgers, copyEntries, newestNumbers } from './ledger.ts';
import { copyOrders, countedOrders, markOrders, type OrdersMark, openViolation } from './orders.ts';
import { countRows } from './rows.ts';
import type { Session } from './session.ts';
import {
  ageMs,
  type Move,
  rejectCanceled,
  storeStep,
  storeStepUnlessCanceled,
  switchCell,
} from './steps.ts';
import {
  attemptsInFlight,
  queuedEntries,
  unanchoredEntries,
  unhandledEvents,
  unreportedEvents,
  type Wait,
} from './waits.ts';
import { copyWebhooks, countedWebhooks, markWebhooks, type WebhooksMark } from './webhooks.ts';

/**
 * A gateway looks up the cell of each request when it knows that the organization moves: within 4 s
 * (key-lookup.ts of the gateway). No switch comes before this age of the move, in ms.
 */
const gatewaysKnowMs = 6000;
/** A copy that takes no longer is followed by the hold, in ms. */
const shortCopyMs = 1500;
/**
 * A copy that takes more than this part of the time of the one before is followed by the hold, too:
 * what changes meanwhile takes as long.
 */
const shorter = 0.8;
/**
 * How long partners' changes may wait, in ms. They have 9.75 s (routes of the gateway), of which
 * 1.75 s remain for the release of a hold that is put back.
 */
const holdMaxMs = 8000;
/**
 * Greatest time of the last copy before the hold, in ms: that in the hold takes as long, because all
 * queued deliveries are copied each time. The other 3 s of a hold are for events on their way, the
 * target's checkpoint and the counts.
 */
const lastCopyMaxMs = 5000;
/** How long deliveries may pause until those in flight have ended: an attempt has 10 s. */
const pausedMaxMs = 30_000;
const pollMs = 50;

/** What a try works with. */
export interface Ends {
  readonly session: Session;
  readonly source: CellDatabases;
  readonly target: CellDatabases;
}

/** Where a copy began, in each database. */
interface Marks {
  readonly orders?: OrdersMark;
  readonly webhooks?: WebhooksMark;
}

export const tryOf = ({ organization_id: organizationId, token }: Move) => ({
  organizationId,
  token,
});

/**
 * COPYING: copies until a copy is short, then holds, copies the rest and switches.
 * @param signal aborted when the process ends or loses its session.
 * @returns the move after the switch.
 * @throws what a database threw; CanceledMove, ChangedMove; Failure DEADLINE_EXCEEDED if the hold
 *   takes too long, or the last copy before it: the caller puts the hold back.
 */
export const copyAndSwitch = async (
  ends: Ends,
  begun: Move,
  signal: AbortSignal,
): Promise<Move> => {
  const { session, source } = ends;
  const { organization_id: organizationId } = rejectCanceled(begun);
  await prepare(ends, begun);
  const { copy, compare } = await copier(ends, begun);
  let [before, took] = [Number.POSITIVE_INFINITY, await copy(signal)];
  while (took > shortCopyMs && took < before * shorter) [before, took] = [took, await copy(signal)];
  requireFits(took);
  await sleep(Math.max(0, gatewaysKnowMs - (await ageMs(session, begun))), undefined, { signal });

  await storeStepUnlessCanceled(session, begun, { phase: 'HOLDING', waits_for: null });
  await hold(source.webhooks, 'webhooks', tryOf(begun), levels.paused);
  const waitFor = waiting(ends, begun, signal, performance.now() + pausedMaxMs);
  await waitFor(attemptsInFlight(source, organizationId));
  const unhandled = unhandledEvents(source, organizationId);
  await waitFor(unhandled);
  requireFits(await copy(signal));
  await storeStepUnlessCanceled(session, begun, { waits_for: null });
  return inHold(ends, begun, { copy, compare, unhandled }, signal);
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

/** Compares the cells and holds the organization in the target, so that rows can be stored. */
const prepare = async ({ session, source, target }: Ends, move: Move): Promise<void> => {
  await compareCells(source, target, move);
  for (const name of movedServices)
    await hold(target[name], name, tryOf(move), levels.arriving, (tx) =>
      requireCopy(tx, name, move.organization_id),
    );
  await rejectViolation(source.orders, move.organization_id);
  await rejectViolation(target.orders, move.organization_id);
  await storeStepUnlessCanceled(session, move, { waits_for: null });
};

/** @throws Failure ILLEGAL_TRANSITION while a violation of the organization or of the log is open */
const rejectViolation = async (orders: Sql, organizationId: string): Promise<void> => {
  const open = await openViolation(orders, organizationId);
  if (open !== null) throw new Failure('ILLEGAL_TRANSITION', open);
};

/** What a try copies. */
interface Copier {
  /** Copies what has changed since the copy before. @returns how long it took, in ms. */
  copy(signal: AbortSignal): Promise<number>;
  /** Compares the ledgers behind the entries that were compared before. */
  compare(): Promise<void>;
}

const copier = async ({ session, source, target }: Ends, begun: Move): Promise<Copier> => {
  const { organization_id: organizationId } = begun;
  const keepMs = await keepMsOf(source);
  let since: Marks = JSON.parse(begun.marks);
  const ledgers = [source.custody, target.custody] as const;
  let compared = 0;
  const compare = async () => {
    compared = await compareLedgers(ledgers, organizationId, compared);
  };
  const copy = async (signal: AbortSignal) => {
    const started = performance.now();
    const between = (name: MovedService) => ({
      from: source[name],
      into: holding(target[name], tryOf(begun), levels.arriving),
      stored: async (rows: number) => {
        signal.throwIfAborted();
        await storeStepUnlessCanceled(session, begun, {}, rows);
      },
    });
    // first, so that the orders of this copy cover its entries: no auditor finds an entry in the
    // target that orders does not know
    const { placed: until } = await newestNumbers(source.custody, organizationId);
    const marks = {
      orders: await markOrders(source.orders, organizationId),
      webhooks: await markWebhooks(source.webhooks, organizationId),
    };
    const ofOrders = { since: since.orders, until: marks.orders };
    await copyOrders(between('orders'), organizationId, ofOrders, keepMs);
    await compare();
    await copyEntries(between('custody'), organizationId, target.custody, until);
    await copyWebhooks(between('webhooks'), organizationId, since.webhooks);
    since = marks;
    const { copies } = await storeStep(session, begun);
    await storeStep(session, begun, { marks: JSON.stringify(marks), copies: copies + 1 });
    return performance.now() - started;
  };
  return { copy, compare };
};

/**
 * Returns a function that waits until nothing is left, and shows what is.
 * @throws Failure DEADLINE_EXCEEDED with what is left.
 */
const waiting = ({ session }: Ends, move: Move, signal: AbortSignal, deadline: number) => {
  let shown: string | null = null;
  return async (wait: Wait): Promise<void> => {
    for (let what = await wait(); what !== null; what = await wait()) {
      if (performance.now() > deadline)
        throw new Failure('DEADLINE_EXCEEDED', `The wait before the hold took too long (${what}).`);
      if (what !== shown) await storeStep(session, move, { waits_for: what });
      shown = what;
      await sleep(pollMs, undefined, { signal });
    }
    signal.throwIfAborted();
  };
};

const tooLong = (what: string): Failure =>
  new Failure('DEADLINE_EXCEEDED', `The hold took longer than ${holdMaxMs / 1000} s (${what}).`);

/** Holds, copies the rest and switches, or throws after 8 s. */
const inHold = async (
  ends: Ends,
  begun: Move,
  before: Copier & { readonly unhandled: Wait },
  signal: AbortSignal,
): Promise<Move> => {
  const began = performance.now();
  const late = new AbortController();
  const step = { now: 'changes in progress' };
  const timer = setTimeout(() => late.abort(tooLong(step.now)), holdMaxMs);
  const ended = AbortSignal.any([signal, late.signal]);
  const work = holdAndCopy(ends, begun, before, step, ended);
  try {
    await Promise.race([work, aborted(ended)]);
    ended.throwIfAborted();
    return await switchCell(ends.session, begun, performance.now() - began);
  } catch (error) {
    work.catch(() => {}); // it ends with its next step
    if (ended.aborted) throw ended.reason;
    const isSlow = error instanceof Failure && error.kind === 'DEADLINE_EXCEEDED';
    throw isSlow
      ? new Failure(error.kind, `${error.message} (${step.now})`, { cause: error })
      : error;
  } finally {
    clearTimeout(timer);
  }
};

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const reason = () => reject(signal.reason);
    if (signal.aborted) reason();
    signal.addEventListener('abort', reason, { once: true });
  });

const holdAndCopy = async (
  ends: Ends,
  begun: Move,
  { copy, compare, unhandled }: Copier & { readonly unhandled: Wait },
  step: { now: string },
  signal: AbortSignal,
): Promise<void> => {
  const { source, target } = ends;
  const { organization_id: organizationId } = begun;
  const nothingLeft = waiting(ends, begun, signal, Number.POSITIVE_INFINITY);
  const waitFor = async (wait: Wait) => {
    await nothingLeft(async () => {
      const what = await wait();
      step.now = what ?? step.now;
      return what;
    });
  };
  await hold(source.orders, 'orders', tryOf(begun), levels.held, (tx) =>
    rejectViolation(tx, organizationId),
  );
  signal.throwIfAborted();
  await hold(source.webhooks, 'webhooks', tryOf(begun), levels.held);
  await waitFor(unreportedEvents(source, organizationId));
  await waitFor(queuedEntries(source, organizationId));
  await waitFor(unhandled);
  await waitFor(attemptsInFlight(source, organizationId));
  step.now = 'the last copy';
  await copy(signal);
  await waitFor(unanchoredEntries(target, organizationId));
  step.now = 'the comparison of the cells';
  await compare();
  await requireEqual(ends, begun);
};

/**
 * Requires that both cells have the same numbers of rows, and the same ledger. If they differ, the
 * next try copies all rows again: the later copies have missed some.
 * @throws Failure INTERNAL
 */
const requireEqual = async ({ session, source, target }: Ends, move: Move): Promise<void> => {
  const { organization_id: organizationId } = move;
  const counted = {
    orders: await countedOrders(source.orders, await keepMsOf(source)),
    webhooks: await countedWebhooks(source.webhooks),
  };
  for (const name of ['orders', 'webhooks'] as const) {
    const [from, to] = await Promise.all(
      [source, target].map((cell) => countRows(cell[name], organizationId, counted[name])),
    );
    for (const [table, count] of from!)
      if (to!.get(table) !== count) {
        await storeStep(session, move, { marks: '{}' });
        throw new Failure(
          'INTERNAL',
          `${name}: ${table} has ${count} rows in ${move.source} and ${to!.get(table)} in ${move.target}.`,
        );
      }
  }
  const ledgers = [source.custody, target.custody] as const;
  const [one, other] = await Promise.all(ledgers.map((sql) => newestNumbers(sql, organizationId)));
  if (one!.all === other!.all) return;
  throw new Failure(
    'INTERNAL',
    `custody: ${one!.all} entries in ${move.source} and ${other!.all} in ${move.target}.`,
  );
};
