import { tablesOf } from '@pto/database';
import { OutboxEntity } from './schema.ts';

/** Builds statements over the outbox; it is in its service's database. */
export const tables = tablesOf([OutboxEntity]);
