import { type ArrayOf, type Given, insertRows, statement, unnest } from '@pto/database';
import type { Source } from '../source.ts';
import { tables } from '../tables.ts';

/** Dead letters to store: an array for each column. */
interface Letters extends Source {
  readonly id: ArrayOf<string>;
  readonly partition: ArrayOf<number>;
  readonly offset: ArrayOf<string>;
  readonly key: ArrayOf<string>;
  readonly event_id: ArrayOf<string>;
  /** The event's id; null if the id is not a UUID or the message was rejected. */
  readonly event_uuid: ArrayOf<string | null>;
  readonly type: ArrayOf<string>;
  readonly traceparent: ArrayOf<string | null>;
  readonly request_id: ArrayOf<string | null>;
  readonly value: ArrayOf<Uint8Array>;
  readonly reason: ArrayOf<string>;
}

const types = {
  id: 'uuid',
  partition: 'int',
  offset: 'bigint',
  key: 'text',
  event_id: 'text',
  event_uuid: 'uuid',
  type: 'text',
  traceparent: 'text',
  request_id: 'text',
  value: 'bytea',
  reason: 'text',
} as const;

const lettersOf = (given: Given<Letters>) => tables.selectFrom(unnest('d', given, types));

/** Inserts dead letters. A message that is stored already is not changed. */
const insert = (
  given: Given<Letters>,
  letters: ReturnType<typeof lettersOf>,
  options: { rejected: boolean },
) =>
  insertRows(tables, 'dead_letters', letters, ({ lit, ref }) => ({
    id: ref('d.id'),
    consumer: given.group,
    topic: given.topic,
    partition: ref('d.partition'),
    offset: ref('d.offset'),
    key: ref('d.key'),
    event_id: ref('d.event_id'),
    type: ref('d.type'),
    traceparent: ref('d.traceparent'),
    request_id: ref('d.request_id'),
    value: ref('d.value'),
    reason: ref('d.reason'),
    rejected: lit(options.rejected),
  }))
    .onConflict((conflict) => conflict.doNothing())
    .returning('id');

/**
 * Inserts parked messages: messages that failed, and messages that wait behind them. Skips messages
 * whose event id is in the inbox.
 */
export const insertParked = statement((given: Given<Letters>) => {
  const letters = lettersOf(given).where(({ exists, not, selectFrom }) =>
    not(
      exists(
        selectFrom('inbox as i')
          .where('i.consumer', '=', given.group)
          .whereRef('i.event_id', '=', 'd.event_uuid'),
      ),
    ),
  );
  return insert(given, letters, { rejected: false });
});

/** Inserts messages without proof of origin, whether or not the inbox has their ids. */
export const insertRejected = statement((given: Given<Letters>) =>
  insert(given, lettersOf(given), { rejected: true }),
);
