import { type RowsOf, tablesOf } from '@pto/database';
import { entities } from './entities.ts';

/** Builds statements over this service's tables. `execute` of @pto/database runs them. */
export const tables = tablesOf(entities);

/** Row types of this service's tables. */
export type Rows = RowsOf<typeof tables>;
