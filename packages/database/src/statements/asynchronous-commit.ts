import { sql } from 'kysely';

/**
 * A condition that is always true and makes the commit of its transaction asynchronous: PostgreSQL
 * responds before the commit is on disk. If PostgreSQL's machine dies within 0.6 s, the transaction
 * is lost as a whole, and no later one is kept without it. Only for statements that are repeated
 * without harm.
 */
export const asynchronousCommit = sql<boolean>`(select set_config('synchronous_commit', 'off', true)) = 'off'`;
