import { type RowsOf, tablesOf } from '@pto/database';
import { entities } from './entities.ts';

/** Query builder for this service's tables. `execute` of @pto/database runs its statements. */
export const tables = tablesOf(entities);

/** Row types of this service's tables. */
export type Rows = RowsOf<typeof tables>;
