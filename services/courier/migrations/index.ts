import type { MigrationList } from '@pto/database';
import { courier } from './20261127100000_courier.ts';
import { erasedNotes } from './20261129130000_erased_notes.ts';
import { turns } from './20261129150000_turns.ts';

/** All migrations, in the order of their names. */
export const migrations: MigrationList = [courier, erasedNotes, turns];
