#!/usr/bin/env node
/** `custody-verify`: judges the custody history in a file, offline. */
import { parseArguments } from './arguments.ts';
import { judge } from './judge.ts';
import { report } from './report.ts';
import { usage } from './usage.ts';
import { WrongUsage } from './wrong-usage.ts';

/** Exit code by verdict (decision 51). Wrong usage exits with 2. */
const exitCodes = { proven: 0, consistent: 3, invalid: 1 } as const;

try {
  const given = parseArguments(process.argv.slice(2));
  if (given === 'help') process.stdout.write(usage);
  else {
    const judged = await judge(given);
    const lines = given.json ? [JSON.stringify(judged)] : report(judged);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    process.exitCode = exitCodes[judged.verdict];
  }
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  process.stderr.write(`custody-verify: ${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
