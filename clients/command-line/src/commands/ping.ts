import { printedLines, writeLines } from '@pto/terminal';
import { Command } from 'commander';
import { type Context, isJson } from '../context.ts';

/** `pto ping`: the organization and the environment of the key. */
export const pingCommand = ({ client }: Context): Command =>
  new Command('ping')
    .description('check the key: print its organization and environment')
    .action(async (_, command: Command) => {
      const { organization, environment } = await client().ping();
      const shown = { organization, environment };
      await writeLines('stdout', printedLines(shown, { json: isJson(command) }));
    });
