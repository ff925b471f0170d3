import {
  type ArrayOf,
  type Given,
  insertRows,
  intArray,
  type Sql,
  statement,
  type Transaction,
  textArray,
  unnestNumbered,
  uuidArray,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { tables } from '../schema/ledger-database.ts';

/** The columns of an entry that the log needs. `event_hash` is hexadecimal digits. */
interface LoggedEntry {
  readonly order_id: string;
  readonly sequence: number;
  readonly event_hash: string;
}

type LoggedEntries = { readonly [Column in keyof LoggedEntry]: ArrayOf<LoggedEntry[Column]> };

const types = { order_id: 'uuid', sequence: 'int', event_hash: 'text' } as const;

const insert = statement((given: Given<LoggedEntries>) =>
  insertRows(
    tables,
    'log_queue',
    tables.selectFrom(unnestNumbered('e', given, types)).orderBy('e.n'),
    ({ ref }) => ({
      order_id: ref('e.order_id'),
      sequence: ref('e.sequence'),
      event_hash: ref('e.event_hash'),
    }),
  ),
);

/** Queues entries for the log, in the transaction that appends them to their chains. */
export const queueForLog = async (
  tx: Transaction,
  entries: readonly LoggedEntry[],
): Promise<void> => {
  await insert(tx.pipelined, {
    order_id: uuidArray(entries.map((entry) => entry.order_id)),
    sequence: intArray(entries.map((entry) => entry.sequence)),
    event_hash: textArray(entries.map((entry) => entry.event_hash)),
  });
};

const readHalted = statement(() =>
  tables.selectFrom('log_state').select('halted').where('halted', 'is not', null),
);

/**
 * Rejects appends to a ledger that contradicts a signed checkpoint. Events wait on the bus, in
 * order.
 * @throws Failure SERVICE_UNAVAILABLE, which does not park the event.
 */
export const rejectWhileHalted = async (sql: Sql): Promise<void> => {
  const [state] = await readHalted(sql);
  if (state)
    throw new Failure('SERVICE_UNAVAILABLE', 'The ledger is halted.', { cause: state.halted });
};
