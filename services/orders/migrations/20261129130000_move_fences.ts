import { sqlMigration } from '@pto/database';
import { moveFencesTable } from '@pto/moves';

/** A call of a try that lost its move holds no organization that a later try has released. */
export const moveFences = sqlMigration('20261129130000_move_fences', moveFencesTable);
