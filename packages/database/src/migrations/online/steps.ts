import type { ClientBase } from 'pg';
import { withLockRetries } from './lock-retries.ts';
import type { OnlineStep } from './online-migration.ts';

/** Partners' statements wait as long as one of these transactions lasts. */
const shortMs = 5000;

/**
 * Returns a step that runs statements in one transaction, for locks that partners' statements wait
 * for: changes of the catalog that read no rows. A statement that takes longer than 5 s is canceled.
 */
export const shortTransaction = (what: string, statements: readonly string[]): OnlineStep => ({
  what,
  run: (client, record) =>
    withLockRetries(client, () =>
      inTransaction(client, async () => {
        await client.query(`set local statement_timeout = ${shortMs}`);
        for (const statement of statements) await client.query(statement);
        await record();
      }),
    ),
});

/**
 * Returns a step that runs statements one after the other, each outside of a transaction and without
 * a limit of time. Only for statements whose locks no partner's statement waits for: `create index
 * concurrently`, `validate constraint`, a `do` that fills rows and commits each batch. All of them run
 * again after an interruption, so an index is dropped first: it may be incomplete.
 */
export const longStatements = (what: string, statements: readonly string[]): OnlineStep => ({
  what,
  run: async (client, record) => {
    await client.query('set statement_timeout = 0; set lock_timeout = 0');
    for (const statement of statements) await client.query(statement);
    await record();
  },
});

const inTransaction = async (client: ClientBase, work: () => Promise<void>): Promise<void> => {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {}); // of a lost connection: the server does it
    throw error;
  }
};
