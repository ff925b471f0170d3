import { type RowsOf, tablesOf } from '@pto/database';
import { consumerEntities } from './schema.ts';
import type { Source } from './source.ts';

/** Builds statements over the tables of a consumer; they are in its service's database. */
export const tables = tablesOf(consumerEntities);

export type Rows = RowsOf<typeof tables>;

/** Selects the dead letters of a consumer that wait. Add columns, and conditions by name. */
export const waitingOf = ({ group, topic }: Source) =>
  tables
    .selectFrom('dead_letters')
    .where('consumer', '=', group)
    .where('topic', '=', topic)
    .where('replayed_at', 'is', null);
