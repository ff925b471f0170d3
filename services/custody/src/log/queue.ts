import { intArray, type Transaction, textArray, uuidArray } from '@pto/database';
import { Failure } from '@pto/errors';

/** The columns of an entry that the log needs. */
interface LoggedEntry {
  readonly order_id: string;
  readonly sequence: number;
  /** Hexadecimal digits. */
  readonly event_hash: string;
}

/** Queues entries for the log, in the transaction that appends them to their chains. */
export const queueForLog = async (
  tx: Transaction,
  entries: readonly LoggedEntry[],
): Promise<void> => {
  await tx.query(
    `insert into log_queue (order_id, sequence, event_hash)
     select order_id, sequence, event_hash
     from unnest($1::uuid[], $2::int[], $3::text[]) with ordinality
       as entry (order_id, sequence, event_hash, n)
     order by n`,
    [
      uuidArray(entries.map((entry) => entry.order_id)),
      intArray(entries.map((entry) => entry.sequence)),
      textArray(entries.map((entry) => entry.event_hash)),
    ],
  );
};

/**
 * Rejects appends to a ledger that contradicts a signed checkpoint. Events wait on the bus, in
 * order.
 * @throws Failure SERVICE_UNAVAILABLE, which does not park the event.
 */
export const rejectWhileHalted = async (tx: Transaction): Promise<void> => {
  const [state] = await tx.query<{ halted: string }>(
    'select halted from log_state where halted is not null',
  );
  if (state)
    throw new Failure('SERVICE_UNAVAILABLE', 'The ledger is halted.', { cause: state.halted });
};
