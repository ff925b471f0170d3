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
 * Returns a step that runs a statement without a limit of time. Only for a statement whose lock
 * no partner's statement waits for, such as `validate constraint`.
 */
export const longStatement = (what: string, statement: string): OnlineStep => ({
  what,
  run: (client, record) =>
    withLockRetries(client, () =>
      inTransaction(client, async () => {
        await client.query('set local statement_timeout = 0');
        await client.query(statement);
        await record();
      }),
    ),
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
