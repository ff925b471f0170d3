import { postgresRestoreOne } from './postgres/postgres-restore-one.ts';
import type { Rehearsal } from './stage/rehearsal.ts';

/** All rehearsals, in the order in which they are listed. */
export const rehearsals: readonly Rehearsal[] = [postgresRestoreOne];
