import { ask } from '@pto/terminal';
import type { Command } from 'commander';

/** The person at the terminal did not confirm; nothing was done. */
export class NotConfirmed extends Error {}

/** Adds `--yes` to a command whose effect cannot be undone. */
export const irreversible = (command: Command): Command =>
  command.option('--yes', 'do it without the question of a terminal');

/**
 * Asks the person at the terminal before an effect that cannot be undone. Scripts are not asked:
 * without a terminal, or with `--yes`, it returns at once.
 * @throws NotConfirmed for any answer but `yes`.
 */
export const confirm = async (command: Command, effect: string): Promise<void> => {
  if (command.opts<{ yes?: boolean }>().yes) return;
  const answer = await ask(`${effect} This cannot be undone. Type yes to go on: `);
  if (answer !== null && answer.trim() !== 'yes')
    throw new NotConfirmed('Nothing was done: the answer was not yes.');
};
