import { printable } from '../printable.ts';
import type { HistoryVerdict, ProofFault, ProofVerdict } from '../proof/history-verdict.ts';

/** Exit code by verdict (decision 51). Without a verdict that was printed, the code is 2. */
export const exitCodes = { proven: 0, consistent: 3, invalid: 1 } as const;

/** Returns the lines to print: the verdict and its limit first, then the details. */
export const report = (judged: ProofVerdict): string[] =>
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
