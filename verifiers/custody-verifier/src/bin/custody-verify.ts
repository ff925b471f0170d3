#!/usr/bin/env node
import { printable } from '../printable.ts';
import type { HistoryVerdict, ProofFault, ProofVerdict } from '../proof/history-verdict.ts';
import { parseArguments, usage, WrongUsage } from './arguments.ts';
import { judgeFile } from './judge-file.ts';

/** Returns the lines to print: the verdict and its limit first, then the details. */
const report = (judged: ProofVerdict): string[] =>
  [
    judged.headline,
    judged.limit,
    ...(judged.verdict === 'invalid' ? [`reason: ${reasonOf(judged)}`] : details(judged)),
  ].map(plain);

const details = (judged: HistoryVerdict): string[] => {
  const { log, completeness, witnesses } = judged;
  const lines = [`order: ${judged.orderId}`, `entries: ${judged.entries}`, `head: ${judged.head}`];
  if (log)
    lines.push(
      `log: the last entry is leaf ${log.leafIndex} of ${log.origin}`,
      `checkpoint: ${log.treeSize} leaves, root ${log.root}`,
    );
  if (completeness) {
    const { treeSize, root, time } = completeness;
    const signedAt = time === null ? '' : `, signed at ${time}`;
    lines.push(`order index: checkpoint ${treeSize}${signedAt}, root ${root}`);
  }
  const signed = log ?? completeness;
  if (signed?.key)
    lines.push(`key: ${signed.key} (${signed.signer === 'trusted' ? 'trusted' : 'from the file'})`);
  if (witnesses) {
    const { given, quorum, cosigned } = witnesses;
    lines.push(`witnesses: ${cosigned.length} of ${given} cosigned, ${quorum} required`);
    for (const { name, cosignedAt } of cosigned) lines.push(`cosigned: ${name} at ${cosignedAt}`);
  }
  return lines;
};

const reasonOf = ({ at, index, entryId, reason }: ProofFault): string => {
  const entry = index === undefined ? '' : `, entry ${index + 1}`;
  return `${at}${entry}${entryId ? ` (${entryId})` : ''}: ${reason}`;
};

/** Limits a line to 1,000 characters: a hostile file must not fill the reader's terminal. */
const plain = (line: string): string => printable(line.slice(0, 1000));

/**
 * Writes text to standard output.
 * @throws Error of the system if the text cannot be written, such as ENOSPC or EPIPE.
 */
const writeText = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });

/** Exit code by verdict (decision 51). Without a verdict that was printed, the code is 2. */
const exitCodes = { proven: 0, consistent: 3, invalid: 1 } as const;

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
