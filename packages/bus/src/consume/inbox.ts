import { isUuid, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { IncomingMessage } from '../bus.ts';

/**
 * Statements for a service's migration; `inbox` then goes into its `dailyPartitions`. One row is one
 * effect of one event on one consumer, written in the effect's own transaction. It is kept for
 * `inboxDays`.
 */
export const inboxTables: readonly string[] = [
  `create table inbox (
    consumer text not null,
    event_id uuid not null,
    handled_at timestamptz not null default now(),
    primary key (consumer, event_id)
  ) partition by range (event_id)`,
];

/**
 * Claims the messages for this transaction.
 * @returns those whose event has had no effect yet, each event once, in the given order.
 * @throws Failure VALIDATION for an event id that is no UUID.
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
  const rows = await tx.query<{ event_id: string }>(
    // in order, so that two who claim the same events do not wait for each other in a ring
    `insert into inbox (consumer, event_id)
    select $1, id from unnest($2::uuid[]) as id order by id
    on conflict do nothing returning event_id`,
    [consumer, messages.map(({ id }) => id)],
  );
  const claimed = new Set(rows.map((row) => row.event_id));
  return messages.filter(({ id }) => claimed.delete(id.toLowerCase()));
};
