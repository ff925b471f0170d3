import { printable } from '../printable.ts';
import type {
  CompletenessPart,
  HistoryVerdict,
  LogPart,
  ProofFault,
  ProofVerdict,
  WitnessPart,
} from '../proof/history-verdict.ts';

/** Returns the lines to print: the verdict and its limit first, then the details. */
export const report = (judged: ProofVerdict): string[] =>
  [
    judged.headline,
    judged.limit,
    ...(judged.verdict === 'invalid' ? [`reason: ${reasonOf(judged)}`] : details(judged)),
  ].map(plain);

const details = ({
  orderId,
  entries,
  head,
  log,
  completeness,
  witnesses,
}: HistoryVerdict): string[] => [
  `order: ${orderId}`,
  `entries: ${entries}`,
  `head: ${head}`,
  ...(log ? logLines(log) : []),
  ...(completeness ? indexLines(completeness) : []),
  ...keyLines(log ?? completeness),
  ...(witnesses ? witnessLines(witnesses) : []),
];

const witnessLines = ({ given, quorum, cosigned }: WitnessPart): string[] => [
  `witnesses: ${cosigned.length} of ${given} cosigned, ${quorum} required`,
  ...cosigned.map(({ name, cosignedAt }) => `cosigned: ${name} at ${cosignedAt}`),
];

const logLines = ({ origin, leafIndex, treeSize, root }: LogPart): string[] => [
  `log: the last entry is leaf ${leafIndex} of ${origin}`,
  `checkpoint: ${treeSize} leaves, root ${root}`,
];

const indexLines = ({ treeSize, root, time }: CompletenessPart): string[] => [
  `order index: checkpoint ${treeSize}${time === null ? '' : `, signed at ${time}`}, root ${root}`,
];

const keyLines = (signed: LogPart | CompletenessPart | null): string[] =>
  signed?.key
    ? [`key: ${signed.key} (${signed.signer === 'trusted' ? 'trusted' : 'from the file'})`]
    : [];

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
export const writeText = (text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.once('error', reject);
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  });
