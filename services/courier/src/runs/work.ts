import type { Database } from '@pto/database';
import { type Failure, kinds, toFailure } from '@pto/errors';
import type { Order } from '@pto/proto/orders/v1/orders';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs, startWorker, type Worker } from '@pto/worker';
import { type Courier, type Orders, showOrder } from '../moves/orders.ts';
import { takeStep } from '../moves/take-step.ts';
import { scriptPlan, withoutNotes } from '../plan/steps.ts';
import {
  type ClaimedRun,
  claimDue,
  claimMax,
  type Outcome,
  recordBegun,
  recordOutcomes,
} from './store.ts';

/** Maximum time for the commands of a claim, shorter than its lease. */
const workMs = 15_000;
const pauseMs = 200;
/** Maximum number of claims of one step; the pauses between them sum up to about an hour. */
const triesMax = 20;
const pauses = { firstMs: 1000, mostMs: 300_000 };

/** A run that waits for a DRAFT goes on at most a minute after the submission, within 7 days. */
const draft = { pauseMinMs: 500, pauseMaxMs: 60_000, waitMaxMs: 7 * 86_400_000 };

/** Starts the loop that takes the due steps of all runs. */
export const startWork = (db: Database, courier: Courier, { log }: Telemetry): Worker =>
  startWorker({
    tick: async () => ((await takeDueSteps(db, courier)) < claimMax ? pauseMs : 0),
    failed: (err) => {
      log.warn({ err }, 'steps of sandbox orders could not be taken; they are tried again');
      return undefined;
    },
  });

/**
 * Takes the next step of each due run. A process that dies meanwhile loses no run: the run is due
 * again when its lease ends, and a step that the order shows as taken is skipped.
 * @returns the number of claimed runs.
 */
export const takeDueSteps = async (db: Database, courier: Courier): Promise<number> => {
  const runs = await claimDue(db);
  const deadline = performance.now() + workMs;
  const read = await Promise.all(runs.map((run) => readOrder(courier.orders, run, deadline)));
  const beginning = read.filter(({ order, run }) => order && isFirstTry(run));
  const begun = await recordBegun(
    db,
    beginning.map(({ run, order }) => {
      return { order_id: run.orderId, lease: run.lease, sequence: order!.sequence };
    }),
  );
  const ids = new Set(begun.map(({ order_id }) => order_id));
  // a run that was not recorded is leased by this process no longer
  const held = read.filter((one) => !beginning.includes(one) || ids.has(one.run.orderId));
  const outcomes = await Promise.all(held.map((one) => outcomeOf(courier, one, deadline)));
  await recordOutcomes(db, outcomes);
  return runs.length;
};

interface Read {
  readonly run: ClaimedRun;
  readonly order?: Order;
  readonly failure?: Failure;
}

const readOrder = async (orders: Orders, run: ClaimedRun, deadline: number): Promise<Read> => {
  try {
    return { run, order: await showOrder(orders, run.orderId, deadline) };
  } catch (thrown) {
    return { run, failure: toFailure(thrown) };
  }
};

/** Whether the step's command was not sent yet. A step `to` shows in the order's status instead. */
const isFirstTry = ({ steps, position, begunAtSequence }: ClaimedRun): boolean =>
  !['to', 'office'].includes(steps[position]!.kind) && begunAtSequence === null;

const outcomeOf = async (
  courier: Courier,
  { run, order, failure }: Read,
  deadline: number,
): Promise<Outcome> => {
  if (!order) return afterFailure(run, failure!);
  if (waitsForSubmission(run, order)) return afterDraft(run);
  const { begunAtSequence } = run;
  if (begunAtSequence !== null && order.sequence > begunAtSequence) return taken(run);
  try {
    const before = run.steps.slice(0, run.position);
    await takeStep(courier, order, run.steps[run.position]!, before, deadline);
    return taken(run);
  } catch (thrown) {
    return afterFailure(run, toFailure(thrown));
  }
};

/** Returns the outcome of a run that stays as it is, but for `change`. */
const outcomeWith = ({ orderId, lease, position }: ClaimedRun, change: Partial<Outcome>) => ({
  ...{ orderId, lease, position, steps: null, waitMs: null, tries: 0, reason: null },
  ...change,
});

const taken = (run: ClaimedRun): Outcome => {
  const position = run.position + 1;
  const steps = withoutNotes(run.steps, position);
  return outcomeWith(run, { position, steps, waitMs: steps[position]?.afterMs ?? null });
};

/** Whether the partner has yet to submit the order (decision 8). A script submits it on its way. */
const waitsForSubmission = ({ plan }: ClaimedRun, { status }: Order): boolean =>
  status === 'DRAFT' && plan !== scriptPlan;

/** Returns the outcome while the order is a DRAFT: another look, which is no try, for 7 days. */
const afterDraft = (run: ClaimedRun): Outcome => {
  const { waitedMs } = run;
  if (waitedMs >= draft.waitMaxMs) return ended(run, 'The order was not submitted within 7 days.');
  const waitMs = Math.min(draft.pauseMaxMs, Math.max(draft.pauseMinMs, Math.round(waitedMs / 2)));
  return outcomeWith(run, { waitMs });
};

const ended = (run: ClaimedRun, reason: string): Outcome => {
  const { steps, tries } = run;
  return outcomeWith(run, { steps: withoutNotes(steps, steps.length), tries, reason });
};

/** Returns the outcome after a failure: another try if that may succeed, else the run's end. */
const afterFailure = (run: ClaimedRun, failure: Failure): Outcome => {
  const { tries } = run;
  const isTransient = failure.retryable || kinds[failure.kind].http >= 500;
  if (!isTransient || tries >= triesMax) return ended(run, failure.message);
  return outcomeWith(run, { waitMs: backoffMs(tries, pauses), tries });
};
