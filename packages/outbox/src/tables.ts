import { tablesOf } from '@pto/database';
import { OutboxEntity } from './schema.ts';

/** Builds statements over the outbox, which is in the database of its service. */
export const tables = tablesOf([OutboxEntity]);
