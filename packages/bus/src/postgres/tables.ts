import { tablesOf } from '@pto/database';
import { postgresBusEntities } from './schema.ts';

/** Builds statements over the tables of the bus; `execute` of @pto/database runs them. */
export const tables = tablesOf(postgresBusEntities);
