import type { ClientBase } from 'pg';

/**
 * A step of an online migration. A step may run again after an interruption, so that its effect
 * must not depend on how much of an earlier run took effect.
 */
export interface OnlineStep {
  /** What the step does, for the log, e.g. `fill attempts.organization_id`. */
  readonly what: string;
  /**
   * Runs the step.
   * @param record stores that the step is done. A step of one transaction calls it inside.
   */
  readonly run: (client: ClientBase, record: () => Promise<void>) => Promise<void>;
}

/**
 * A migration of large tables beside partners' requests: its steps are separate transactions, none
 * of which locks a table for long.
 */
export interface OnlineMigration {
  readonly name: string;
  readonly steps: readonly OnlineStep[];
}

/**
 * Returns a migration whose steps run one after the other, outside of a common transaction. An
 * interrupted migration continues at the next start with the step that was not done. After its
 * release, a migration is never edited.
 * @param name time and purpose, as for `sqlMigration`.
 */
export const onlineMigration = (name: string, steps: readonly OnlineStep[]): OnlineMigration => ({
  name,
  steps,
});

/** Receives one line for each step that begins. */
export type Report = (line: string) => void;

/**
 * Runs the steps that are not done. The table of migrations stores the steps until the last is done,
 * then the migration's name.
 * @param client of the owner, which holds the lock of migrators. So a step that goes on in the
 *   server after its migrator was killed ends before another migrator begins.
 * @returns whether there was something to do.
 */
export const runOnline = async (
  client: ClientBase,
  { name, steps }: OnlineMigration,
  report: Report,
): Promise<boolean> => {
  const stepName = (n: number) => `${name} step ${n}`;
  const all = [name, ...steps.map((_, n) => stepName(n + 1))];
  const { rows } = await client.query<{ name: string }>(
    'select name from migrations where name = any($1)',
    [all],
  );
  const done = new Set(rows.map((row) => row.name));
  if (done.has(name)) return false;
  for (const [index, step] of steps.entries()) {
    const recorded = stepName(index + 1);
    if (done.has(recorded)) continue;
    report(`${recorded} of ${steps.length}: ${step.what}`);
    await step.run(client, async () => {
      await client.query('insert into migrations (name) values ($1)', [recorded]);
    });
  }
  await client.query(
    `with steps as (delete from migrations where name = any($1))
     insert into migrations (name) values ($2)`,
    [all, name],
  );
  return true;
};
