import { type RowsOf, tablesOf } from '@pto/database';
import { consumerEntities } from './consumer-schema.ts';

/** A topic and the consumer group that reads it: identifies a consumer. */
export interface Source {
  readonly group: string;
  readonly topic: string;
}

/** Builds statements over the tables of a consumer, which are in the database of its service. */
export const tables = tablesOf(consumerEntities);

export type Rows = RowsOf<typeof tables>;

/**
 * Selects the dead letters of a consumer that wait: neither replayed nor discarded. The caller adds
 * columns and further conditions.
 */
export const waitingOf = ({ group, topic }: Source) =>
  tables
    .selectFrom('dead_letters')
    .where('consumer', '=', group)
    .where('topic', '=', topic)
    .where('replayed_at', 'is', null);
