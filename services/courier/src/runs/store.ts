import {
  bulkStatement,
  clockTimestamp,
  type Database,
  fragment,
  isoMillis,
  type Placeholders,
  statement,
} from '@pto/database';
import type { Step } from '../plan/steps.ts';
import { tables } from '../schema/tables.ts';

/** A run whose next step this process may take until its lease ends. */
export interface ClaimedRun {
  readonly orderId: string;
  readonly lease: string;
  /** The scenario's name, or script. */
  readonly plan: string;
  readonly steps: readonly Step[];
  readonly position: number;
  /** Claims of this step, this one included. */
  readonly tries: number;
  /** The order's sequence before the step's command, if an earlier claim has sent it. */
  readonly begunAtSequence: number | null;
  /** Milliseconds since the step before, or since the start of the run. */
  readonly waitedMs: number;
}

/** What became of a claimed run. */
export interface Outcome extends Pick<ClaimedRun, 'orderId' | 'lease'> {
  readonly position: number;
  /** The steps without the notes that no later try needs; null: as they are stored. */
  readonly steps: readonly Step[] | null;
  /** Milliseconds until the next step or the next try; null: the run is over. */
  readonly waitMs: number | null;
  /** Claims of the step at this position. */
  readonly tries: number;
  /** Why the run ended before its last step. */
  readonly reason: string | null;
}

/** Maximum number of runs of one claim. */
export const claimMax = 16;
/** Longer than a claimed step may take (`work.ts`). */
export const leaseMs = 30_000;

/** The time of the statement, by which an index can be read. */
const now = fragment<string>`statement_timestamp()`;

const inMs = (ms: unknown) =>
  fragment<string>`clock_timestamp() + ${ms} * interval '1 millisecond'`;

/** A plan for an order. */
export interface NewRun {
  readonly orderId: string;
  readonly organizationId: string;
  /** The scenario's name, or script. */
  readonly plan: string;
  readonly steps: readonly Step[];
}

type NewRow = Placeholders<{
  order_id: string;
  organization_id: string;
  plan: string;
  steps: string;
  wait_ms: number;
}>;

const insertRun = ({ order_id, organization_id, plan, steps, wait_ms }: NewRow) =>
  tables
    .insertInto('runs')
    .values({ order_id, organization_id, plan, steps, due_at: inMs(wait_ms) });

const insertFirst = statement((given: NewRow) =>
  insertRun(given).onConflict((conflict) => conflict.column('order_id').doNothing()),
);

/** The lease is removed: a process that takes a step of the earlier run records nothing. */
const insertOrReplace = statement((given: NewRow) =>
  insertRun(given).onConflict((conflict) =>
    conflict.column('order_id').doUpdateSet(({ ref }) => ({
      plan: ref('excluded.plan'),
      steps: ref('excluded.steps'),
      due_at: ref('excluded.due_at'),
      position: 0,
      lease: null,
      tries: 0,
      begun_at_sequence: null,
      reason: null,
      updated_at: clockTimestamp,
    })),
  ),
);

/** Stores an order's run. @param unlessStarted true: an order that has a run keeps it. */
export const startRun = async (
  db: Database,
  run: NewRun,
  { unlessStarted }: { readonly unlessStarted: boolean },
): Promise<void> => {
  const insert = unlessStarted ? insertFirst : insertOrReplace;
  await insert(db, {
    order_id: run.orderId,
    organization_id: run.organizationId,
    plan: run.plan,
    steps: JSON.stringify(run.steps),
    wait_ms: run.steps[0]!.afterMs,
  });
};

/**
 * The next due runs, in turns of the organizations: one run of each, then a second of each, and so
 * on. So an organization with many runs does not delay the run of another one.
 */
const due = tables
  .selectFrom((from) =>
    from
      .selectFrom('runs')
      .select(({ fn }) => [
        'order_id',
        fn
          .agg<string>('row_number')
          .over((over) => over.partitionBy('organization_id').orderBy('due_at'))
          .as('place'),
      ])
      .where('due_at', '<=', now)
      .as('ranked'),
  )
  .innerJoin('runs', 'runs.order_id', 'ranked.order_id')
  .select('runs.order_id')
  .where('runs.due_at', '<=', now)
  .orderBy('ranked.place')
  .orderBy('runs.due_at')
  .limit(claimMax)
  .forUpdate('runs')
  .skipLocked();

const lease = statement(() =>
  tables
    .updateTable('runs')
    .set(({ eb }) => ({
      lease: fragment<string>`gen_random_uuid()`,
      due_at: inMs(leaseMs),
      tries: eb('tries', '+', 1),
    }))
    .where('order_id', 'in', due)
    .returning(['order_id', 'lease', 'plan', 'steps', 'position', 'tries', 'begun_at_sequence'])
    .returning(({ ref }) =>
      fragment<number>`extract(epoch from clock_timestamp() - ${ref('updated_at')})::float8 * 1000`.as(
        'waited_ms',
      ),
    ),
);

/** Leases at most 16 due runs for 30 s. Another process claims none of them meanwhile. */
export const claimDue = async (db: Database): Promise<ClaimedRun[]> =>
  (await lease(db)).map(({ order_id, begun_at_sequence, waited_ms, ...row }) => {
    const more = { orderId: order_id, begunAtSequence: begun_at_sequence, waitedMs: waited_ms };
    return { ...row, ...more, lease: row.lease!, steps: JSON.parse(row.steps) };
  });

/**
 * Stores the orders' sequences before commands are sent, so that a later claim can tell a command
 * that was sent.
 */
export const recordBegun = bulkStatement(
  { order_id: 'uuid', lease: 'uuid', sequence: 'int' },
  (rows) =>
    tables
      .updateTable('runs')
      .from(rows('r'))
      .set(({ ref }) => ({ begun_at_sequence: ref('r.sequence') }))
      .whereRef('runs.order_id', '=', 'r.order_id')
      .whereRef('runs.lease', '=', 'r.lease')
      .returning('runs.order_id'),
);

const update = bulkStatement(
  {
    order_id: 'uuid',
    lease: 'uuid',
    position: 'int',
    steps: 'text',
    wait_ms: 'int',
    tries: 'int',
    reason: 'text',
  },
  (rows) =>
    tables
      .updateTable('runs')
      .from(rows('r'))
      .set(({ ref }) => ({
        position: ref('r.position'),
        steps: fragment<string>`coalesce(${ref('r.steps')}, ${ref('runs.steps')})`,
        due_at: inMs(ref('r.wait_ms')),
        tries: ref('r.tries'),
        reason: ref('r.reason'),
        // the next try of the same step must know of the command that was sent
        begun_at_sequence: fragment<number>`case when ${ref('runs.position')} = ${ref('r.position')}
          then ${ref('runs.begun_at_sequence')} end`,
        lease: null,
        // a look at a DRAFT or a failure leaves the time since which the run waits
        updated_at: fragment<string>`case when ${ref('runs.position')} = ${ref('r.position')}
          and ${ref('r.wait_ms')} is not null then ${ref('runs.updated_at')} else ${clockTimestamp} end`,
      }))
      .whereRef('runs.order_id', '=', 'r.order_id')
      .whereRef('runs.lease', '=', 'r.lease'),
);

/** Records outcomes in one statement. A run that this process no longer leases is not changed. */
export const recordOutcomes = async (db: Database, outcomes: readonly Outcome[]): Promise<void> => {
  const rows = outcomes.map(({ orderId: order_id, waitMs: wait_ms, steps, ...more }) => {
    return { ...more, order_id, wait_ms, steps: steps && JSON.stringify(steps) };
  });
  await update(db, rows);
};

const selectRun = statement((given: Placeholders<{ id: string }>) =>
  tables
    .selectFrom('runs')
    .select(['plan', 'steps', 'position', 'due_at', 'reason'])
    .where('order_id', '=', given.id),
);

/** Returns an order's run as a message; undefined if the order had none. */
export const findRun = async (db: Database, orderId: string) => {
  const [row] = await selectRun(db, { id: orderId });
  if (!row) return undefined;
  const { plan, steps, position, due_at, reason } = row;
  return {
    plan,
    state: due_at ? 'running' : reason ? 'ended' : 'done',
    taken: position,
    count: (JSON.parse(steps) as readonly Step[]).length,
    ...(due_at && { nextAt: isoMillis(due_at) }),
    ...(reason && { reason }),
  };
};

/** Days for which a run that is over is stored. */
const keptDays = 30;

const over = tables
  .selectFrom('runs')
  .select('order_id')
  .where('due_at', 'is', null)
  .where('updated_at', '<', fragment<string>`now() - interval '1 day' * ${keptDays}`)
  .limit(1000);

/** Deletes at most 1000 runs that have been over for 30 days. */
export const deleteOld = statement(() => tables.deleteFrom('runs').where('order_id', 'in', over));
