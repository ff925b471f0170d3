import type { ProofFault, ProofVerdict, ProvenHistory, ProvenInclusion } from '../proof/verdict.ts';

/** A verdict on a proof file, or on a bare list of events. */
export type Judged = ProofVerdict | WholeChain;

/** A list of events that is a whole chain; whether it was in a log is not known. */
type WholeChain = Pick<ProvenHistory, 'valid' | 'orderId' | 'entries' | 'head'>;

/** One line for each finding. */
export const report = (judged: Judged): string[] =>
  (judged.valid ? findings(judged) : [`not valid: ${place(judged)}: ${judged.reason}`]).map(plain);

const findings = (found: ProvenHistory | WholeChain): string[] => [
  `chain: ${found.entries} entries of order ${found.orderId}, each linked to the one before`,
  `head: ${found.head}`,
  ...('log' in found && found.log ? inclusion(found.log) : []),
  ...('remarks' in found ? found.remarks : barely(found)).map((remark) => `note: ${remark}`),
  'valid',
];

const inclusion = (log: ProvenInclusion): string[] => [
  `log: the last entry is leaf ${log.leafIndex} of ${log.origin}`,
  `checkpoint: ${log.treeSize} leaves, root ${log.root}`,
  `key: ${log.key} (${log.keyFrom === 'caller' ? 'given with --key' : 'from the file'})`,
];

const barely = ({ entries }: WholeChain): string[] => [
  entries === 0
    ? 'there are no entries: nothing is proved'
    : 'a list of events does not show whether later entries were cut off; keep heads, or a proof',
];

const place = ({ at, index, entryId }: ProofFault): string =>
  index === undefined ? at : `${at}, entry ${index + 1}${entryId ? ` (${entryId})` : ''}`;

/** What a hostile file holds must not steer the reader's terminal. */
const plain = (line: string): string => line.slice(0, 1000).replace(/\p{C}/gu, '\ufffd');
