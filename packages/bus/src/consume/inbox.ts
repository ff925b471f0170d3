import {
  type ArrayOf,
  type Given,
  insertRows,
  isUuid,
  statement,
  type Transaction,
  unnest,
} from '@pto/database';
import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../bus.ts';
import { tables } from './tables.ts';

/**
 * Statements for a service's migration; add `inbox` to the service's `dailyPartitions` as well. One
 * row records that one consumer has handled one event. The row is written in the effect's
 * transaction and stored for `inboxDays`.
 */
export const inboxTables: readonly string[] = [
  `create table inbox (
    consumer text not null,
    event_id uuid not null,
    handled_at timestamptz not null default now(),
    primary key (consumer, event_id)
  ) partition by range (event_id)`,
];

// The rows are inserted in the order of their ids, so that two transactions that claim the same
// events do not deadlock.
const insertNew = statement((given: Given<{ consumer: string; id: ArrayOf<string> }>) =>
  insertRows(
    tables,
    'inbox',
    tables.selectFrom(unnest('m', given, { id: 'uuid' })).orderBy('m.id'),
    ({ ref }) => ({ consumer: given.consumer, event_id: ref('m.id') }),
  )
    .onConflict((conflict) => conflict.doNothing())
    .returning('event_id'),
);

/**
 * Claims the messages for this transaction by inserting their inbox rows.
 * @returns the messages whose events have had no effect yet, each event once, in the given order.
 * @throws Failure VALIDATION for an event id that is not a UUID.
 */
export const claim = async (
  tx: Transaction,
  consumer: string,
  messages: readonly IncomingMessage[],
): Promise<IncomingMessage[]> => {
  if (messages.length === 0) return [];
  if (!messages.every(({ id }) => isUuid(id))) {
    throw new Failure('VALIDATION', 'The event id is not a UUID.');
  }
  const rows = await insertNew(tx, { consumer, id: messages.map(({ id }) => id) });
  const claimed = new Set(rows.map((row) => row.event_id));
  return messages.filter(({ id }) => claimed.delete(id.toLowerCase()));
};
