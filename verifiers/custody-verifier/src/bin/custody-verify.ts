#!/usr/bin/env node
import { printable } from '../printable.ts';
import { parseArguments, usage, WrongUsage } from './arguments.ts';
import { judgeFile } from './judge-file.ts';
import { exitCodes, report } from './report.ts';

/**
 * Writes text to standard output.
 * @throws Error of the system if the text cannot be written, such as ENOSPC or EPIPE.
 */
const writeText = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Runs the command and returns its exit code. */
const run = async (argv: readonly string[]): Promise<number> => {
  const given = parseArguments(argv);
  if (given === 'help') {
    await writeText(usage);
    return 0;
  }
  const judged = await judgeFile(given);
  const lines = given.json ? [printable(JSON.stringify(judged))] : report(judged);
  await writeText(lines.map((line) => `${line}\n`).join(''));
  return exitCodes[judged.verdict];
};

process.stderr.on('error', () => {});
try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = 2;
  const { message, code } = error as NodeJS.ErrnoException;
  // a reader that has closed the pipe, such as `head`, needs no message
  if (code !== 'EPIPE')
    process.stderr.write(
      `custody-verify: ${printable(message)}\n${error instanceof WrongUsage ? `\n${usage}` : ''}`,
    );
}
