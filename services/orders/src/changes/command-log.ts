/**
 * Repetitions of operators' commands. A sender whose response was lost sends the command again with
 * its id. The transaction that changes the order stores the id, so a command and its id exist
 * together, and a rejected command leaves its id unused.
 */
import { type Database, execute, fragment, type Sql, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import { isNotHeld } from '@pto/moves';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import { beginChange } from '../change-time.ts';
import type { FindLocations } from '../locations/locations.ts';
import { getOrder, type OrderKey } from '../reading/get-order.ts';
import type { StoredOrder } from '../reading/stored-order.ts';
import { tables } from '../schema/tables.ts';

/** What the sender calls a command. */
export interface CommandId {
  /** A UUID. */
  readonly id: string;
  /** SHA-256 of the request. A repetition has the same. */
  readonly requestSha256: Buffer;
}

/** The order after a command, and what the response says besides; null: nothing. */
export interface CommandResult<Outcome> {
  readonly stored: StoredOrder;
  readonly outcome: Outcome | null;
}

type Transact<Outcome> = (
  work: (tx: Transaction) => Promise<CommandResult<Outcome>>,
) => Promise<CommandResult<Outcome>>;

/**
 * Runs a command once for its id. A repetition changes nothing: it returns the outcome of the first
 * command, and the order as it is now.
 * @param id null: each call is a command of its own.
 * @param run calls `transact` at most once, with the work that changes the order. It may reject
 *   before, because of what the first command has changed.
 * @throws Failure IDEMPOTENCY_KEY_REUSED if the id belongs to another command; ORGANIZATION_HELD;
 *   what `run` throws.
 */
export const runOnce = async <Outcome>(
  deps: { readonly db: Database; readonly findLocations: FindLocations },
  order: OrderKey,
  id: CommandId | null,
  run: (transact: Transact<Outcome>) => Promise<CommandResult<Outcome>>,
): Promise<CommandResult<Outcome>> => {
  const transact: Transact<Outcome> = (work) =>
    deps.db.transaction(async (tx) => {
      await beginChange(tx, order.organizationId);
      return work(tx);
    });
  if (!id) return run(transact);
  const repeated = (sql: Sql) => findResult<Outcome>({ ...deps, sql }, order, id);
  try {
    return (
      (await repeated(deps.db)) ??
      (await run((work) =>
        transact(async (tx) => {
          if (!(await claim(tx, order, id))) return (await repeated(tx)) ?? reused();
          const done = await work(tx);
          if (done.outcome !== null) await storeOutcome(tx, order, id, done.outcome);
          return done;
        }),
      ))
    );
  } catch (rejection) {
    // the first command may have been committed since, and the rejection be its consequence
    const done = await repeated(deps.db);
    if (done) return done;
    throw rejection;
  }
};

/**
 * Inserts the id of a command. Waits for the end of a transaction that has inserted it.
 * @returns false if the command was committed before.
 */
const claim = async (
  tx: Transaction,
  { organizationId, orderId }: OrderKey,
  { id, requestSha256 }: CommandId,
) => {
  const insert = tables
    .insertInto('done_commands')
    .values({
      organization_id: organizationId,
      ...{ id, order_id: orderId, request_sha256: requestSha256 },
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .returning('id');
  return (await execute(tx, insert)).length > 0;
};

const storeOutcome = (
  tx: Transaction,
  { organizationId }: OrderKey,
  { id }: CommandId,
  outcome: unknown,
) =>
  execute(
    tx,
    tables
      .updateTable('done_commands')
      .set({ outcome: JSON.stringify(outcome) })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id),
  );

const findResult = async <Outcome>(
  source: { readonly sql: Sql; readonly findLocations: FindLocations },
  order: OrderKey,
  { id, requestSha256 }: CommandId,
): Promise<CommandResult<Outcome> | null> => {
  const select = tables
    .selectFrom('done_commands')
    .select(['request_sha256', 'outcome'])
    .where('organization_id', '=', order.organizationId)
    .where('id', '=', id);
  const [row] = await execute(source.sql, select);
  if (!row) return null;
  if (!row.request_sha256.equals(requestSha256)) return reused();
  const outcome = row.outcome === null ? null : JSON.parse(row.outcome);
  return { stored: await getOrder(source, order), outcome };
};

const reused = (): never => {
  throw new Failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This command id was used before for another command.',
  );
};

/** Removes the ids of an order's commands: the hashes of their requests cover personal data. */
export const forgetCommands = (
  tx: Transaction,
  { organizationId, orderId }: OrderKey,
  except: CommandId | null,
) =>
  execute(
    tx,
    tables
      .deleteFrom('done_commands')
      .where('organization_id', '=', organizationId)
      .where('order_id', '=', orderId)
      .$if(except !== null, (rows) => rows.where('id', '<>', except!.id)),
  );

/** Ids that one statement removes. */
const batch = 1000;

/**
 * Removes ids that were stored for `keepMs`, at most `batch` of them. Those of an organization that
 * is held stay: its rows do not change.
 * @returns how many.
 */
const removeExpired = async (sql: Sql, keepMs: number): Promise<number> => {
  const expired = tables
    .selectFrom('done_commands')
    .select(['organization_id', 'id'])
    .where(
      'done_at',
      '<',
      fragment<string>`statement_timestamp() - ${keepMs}::float8 * interval '1 ms'`,
    )
    .where(isNotHeld('done_commands.organization_id'))
    .orderBy('done_at')
    .limit(batch);
  const removed = await execute(
    sql,
    tables
      .deleteFrom('done_commands')
      .where(({ eb, refTuple }) =>
        eb(refTuple('organization_id', 'id'), 'in', expired.$asTuple('organization_id', 'id')),
      )
      .returning('id'),
  );
  return removed.length;
};

const everyMs = 600_000;
const retryMs = 60_000;

/**
 * Removes the ids of commands that were stored for `keepMs`: at the start and every 10 min. Several
 * replicas may do so at once.
 */
export const startCommandExpiry = (db: Database, keepMs: number, telemetry: Telemetry): Worker =>
  startWorker({
    tick: async () => ((await removeExpired(db, keepMs)) === batch ? 0 : everyMs),
    failed: (err, failures) => {
      telemetry.log.error({ err, failures }, 'expired ids of commands were not removed');
      return retryMs;
    },
  });
