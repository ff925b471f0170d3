#!/usr/bin/env node
/** `custody-verify`: tells from a file alone whether an order's history is whole. */
import { parseArguments, usage } from './arguments.ts';
import { judge } from './judge.ts';
import { WrongUsage } from './wrong-usage.ts';

try {
  const asked = parseArguments(process.argv.slice(2));
  if (asked === 'help') process.stdout.write(usage);
  else {
    const { valid, lines } = await judge(asked);
    process.stdout.write(lines.map((line) => `${line}\n`).join(''));
    process.exitCode = valid ? 0 : 1;
  }
} catch (error) {
  if (!(error instanceof WrongUsage)) throw error;
  process.stderr.write(`custody-verify: ${error.message}\n\n${usage}`);
  process.exitCode = 2;
}
